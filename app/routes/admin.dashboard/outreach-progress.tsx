import { Link, useRevalidator } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import { useEffect } from "react";
import { Banner } from "~/components/banner";
import { Meter } from "~/components/meter";
import { buttonVariants } from "~/components/ui/button";
import { seconds } from "~/lib/durations";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { OutreachView } from "./outreach-view.server";

const copy = operatorMessages.outreach;

type Progress = NonNullable<OutreachView["progress"]>;

/** Whether the send goes on without anybody's doing. */
export const isRunning = ({ state }: Pick<Progress, "state">) => state === "preparing" || state === "sending";

/** A send under way covers the panel; one that is over says how it went, above a fresh form. */
export function OutreachProgress({ progress }: { progress: Progress }) {
  const link = (
    <Link to={paths.outreachSend(progress.id)} className="underline underline-offset-2">
      {copy.seeSend}
    </Link>
  );
  if (isRunning(progress)) return <Overlay progress={progress}>{link}</Overlay>;
  const good = progress.state === "finished" && progress.failed + progress.uncertain === 0;
  return (
    <Banner kind={good ? "success" : "error"} className="mb-4">
      <p className="font-medium">{good ? copy.sent : copy.failed}</p>
      <p>
        {operatorMessages.outreachBooks.sentence(progress)} {link}
      </p>
    </Banner>
  );
}

function Overlay({ progress, children }: { progress: Progress; children: React.ReactNode }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, seconds(1));
    return () => clearTimeout(timer);
  }, [state, revalidate, progress]);
  const done = progress.selected - progress.pending;

  return (
    <div
      role="status"
      className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 rounded-b-lg bg-surface/95 p-6 text-center"
    >
      <noscript>
        <meta httpEquiv="refresh" content={`2;url=${progress.again}`} />
      </noscript>
      <LoaderCircle aria-hidden className="size-6 animate-spin text-primary motion-reduce:animate-none" />
      <p className="text-base font-medium tabular-nums">{progressText(progress, done)}</p>
      <Meter kind="progressbar" label={copy.sendEmail} value={done} max={progress.selected} />
      {progress.trouble ? <p className="max-w-prose text-muted-foreground">{progress.trouble}</p> : null}
      <p className="text-muted-foreground">
        {copy.goesOn} {children}
      </p>
      <Link
        to={`${paths.dashboard}#outreach`}
        className={buttonVariants({ variant: "secondary", size: "dense" })}
      >
        {copy.leave}
      </Link>
    </div>
  );
}

function progressText(progress: Progress, done: number): string {
  if (progress.state === "preparing") return copy.preparing(progress.selected);
  const waits = progress.trouble !== "" || progress.retrying > 0;
  return waits ? copy.retrying(progress.sent, progress.selected) : copy.progress(done, progress.selected);
}
