import { Form } from "@remix-run/react";
import { BeginNow, CancelSend, SendWaits } from "~/components/send-waits";
import { Button } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import { waitingInWords } from "~/operator-messages/outreach-pace";
import type { Book } from "~/services/outreach/book.server";
import type { Waiting } from "~/services/outreach/waiting";

const copy = operatorMessages.outreachBooks;

interface TroubleProps {
  book: Book;
  waiting: Waiting | undefined;
  now: number;
  cancelLink: string;
}

/** What the send waits for, until when, and the buttons its state allows. */
export function Trouble({ book, waiting, now, cancelLink }: TroubleProps) {
  const running = book.state === "sending" || book.state === "preparing";
  const paused = book.state === "paused";
  const canRetry = book.failed > 0 && book.state !== "cancelled";
  const isHeld = waiting?.for === "hold";
  const isMissed = waiting?.for === "missed";
  const canBegin =
    isHeld || isMissed || waiting?.for === "schedule" || (waiting?.for === "operator" && waiting.planned);
  return (
    <>
      {waiting ? <SendWaits {...waitingInWords(waiting, now)} /> : null}
      {running || paused || canRetry ? (
        <Form method="post" className="flex flex-wrap gap-2">
          {canBegin ? <BeginNow /> : null}
          {running ? <Act intent="pause">{copy.pause}</Act> : null}
          {paused && !isMissed ? <Act intent="resume">{copy.resume}</Act> : null}
          {canRetry ? <Act intent="retry-failed">{copy.retryFailed}</Act> : null}
          {running || paused ? <CancelSend askAt={isHeld ? undefined : cancelLink} /> : null}
        </Form>
      ) : null}
    </>
  );
}

function Act({ intent, children }: { intent: string; children: string }) {
  return (
    <Button type="submit" name="intent" value={intent} variant="secondary" size="dense">
      {children}
    </Button>
  );
}
