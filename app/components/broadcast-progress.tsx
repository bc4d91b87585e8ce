import { Link } from "@remix-run/react";
import { LoaderCircle } from "~/components/icons";
import { Banner } from "~/components/banner";
import { LookAgain } from "~/components/look-again";
import { Meter } from "~/components/meter";
import { Card, CardContent } from "~/components/ui/card";
import { operatorMessages } from "~/operator-messages";

const { notifications: copy, platform } = operatorMessages;

interface BroadcastProgressProps {
  state: keyof typeof operatorMessages.outreachBooks.states;
  /** The push service's words, when it stopped by itself. */
  trouble: string;
  book: { devices: number; sent: number; failed: number; gone: number; waiting: number; retrying: number } & {
    /** Of the application's backend, where it has a part in it. */
    platform?: {
      state: keyof typeof platform.broadcast.states;
      successCount: number;
      failureCount: number;
      detail: string;
    };
  };
  /** This page's own address, for looking again. */
  at: string;
  /** Of the broadcast; left out there. */
  page?: string;
}

/** How a broadcast goes on, or how it went, in the specification's words (its section 8). */
export function BroadcastProgress({ state, trouble, book, at, page }: BroadcastProgressProps) {
  const more = page ? (
    <Link to={page} className="underline underline-offset-2">
      {copy.seeDevices}
    </Link>
  ) : null;
  if (state === "preparing" || state === "sending") {
    const done = book.devices - book.waiting;
    return (
      <Card>
        <CardContent className="flex flex-col gap-3">
          <LookAgain everySeconds={1} at={at} seen={book} />
          <p role="status" className="flex items-center gap-2.5 font-medium tabular-nums">
            <LoaderCircle
              aria-hidden
              className="size-4 animate-spin text-primary motion-reduce:animate-none"
            />
            {progressOf(state, book)}
          </p>
          {book.devices > 0 ? (
            <Meter kind="progressbar" label={copy.send} value={done} max={book.devices} />
          ) : null}
          <p className="text-muted-foreground">
            {book.retrying > 0 ? `${copy.retrying(book.retrying)} ` : ""}
            {copy.goesOn} {more}
          </p>
        </CardContent>
      </Card>
    );
  }
  const { kind, text } = resultOf(state, trouble, book);
  return (
    <Banner kind={kind}>
      {text} {more}
    </Banner>
  );
}

type Book = BroadcastProgressProps["book"];

function progressOf(state: "preparing" | "sending", { devices, waiting, platform: part }: Book): string {
  if (part && waiting === 0 && state === "sending") return platform.broadcast.underWay;
  return state === "preparing" ? copy.preparing(devices) : copy.progress(devices - waiting, devices);
}

function resultOf(
  state: BroadcastProgressProps["state"],
  trouble: string,
  { sent, failed, gone, platform: part }: Book,
): { kind: "success" | "error"; text: string } {
  const reached = sent + (part?.successCount ?? 0);
  const missed = failed + gone + (part?.failureCount ?? 0);
  if (state === "cancelled") return { kind: "error", text: copy.page.cancelled(reached) };
  if (state !== "finished") {
    return { kind: "error", text: trouble ? copy.failure(trouble) : copy.page.paused };
  }
  const ending = part?.state;
  if (!part || (ending !== "failed" && ending !== "uncertain")) {
    return { kind: reached > 0 ? "success" : "error", text: copy.success(reached, missed) };
  }
  const isOnlyPart = reached + missed === 0;
  if (isOnlyPart && ending === "failed") return { kind: "error", text: copy.failure(part.detail) };
  const ofOurs = isOnlyPart ? "" : `${copy.success(reached, missed)}. `;
  return { kind: "error", text: ofOurs + platform.broadcast.short[ending] };
}
