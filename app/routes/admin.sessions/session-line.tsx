import { Form } from "@remix-run/react";
import { Monitor, Smartphone } from "~/components/icons";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import type { OwnSession } from "~/services/sessions/own-sessions.server";

const HELD_IN_THE_HAND = /\b(?:Android|iOS|iPadOS)$/;

/** One session, by what people recognise it: its browser, from where, since when. */
export function SessionLine({ session, now }: { session: OwnSession; now: number }) {
  const { handle, browser, network, startedAt, lastSeenAt, isThisOne } = session;
  const Icon = HELD_IN_THE_HAND.test(browser) ? Smartphone : Monitor;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 p-4 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:items-center">
      <Icon aria-hidden className="size-5 text-muted-foreground" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {browser}
          {isThisOne ? <Badge variant="primary">This session</Badge> : null}
        </p>
        <p className="text-xs text-muted-foreground">
          from {network} · started <Timestamp at={startedAt} now={now} /> · last used{" "}
          {isThisOne ? "just now" : <Timestamp at={lastSeenAt} now={now} />}
        </p>
      </div>
      {isThisOne ? null : (
        <Form method="post" className="col-start-2 sm:col-start-3">
          <input type="hidden" name="session" value={handle} />
          <Button
            type="submit"
            name="intent"
            value="end"
            variant="secondary"
            size="dense"
            aria-label={`End this session: ${browser} from ${network}`}
          >
            End this session
          </Button>
        </Form>
      )}
    </li>
  );
}
