import { Form, Link } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { Button, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import type { Book } from "~/services/outreach/book.server";

const copy = operatorMessages.outreachBooks;

/** What the send waits for, in the mail server's words, and the buttons its state allows. */
export function Trouble({ book, cancelLink }: { book: Book; cancelLink: string }) {
  const running = book.state === "sending" || book.state === "preparing";
  const paused = book.state === "paused";
  const canRetry = book.failed > 0 && book.state !== "cancelled";
  return (
    <>
      {book.trouble ? (
        <Banner kind="error">
          <p className="font-medium">{paused ? copy.pausedBecause : copy.waitsBecause}</p>
          <p className="break-words">{book.trouble}</p>
        </Banner>
      ) : null}
      {running || paused || canRetry ? (
        <Form method="post" className="flex flex-wrap gap-2">
          {running ? <Act intent="pause">{copy.pause}</Act> : null}
          {paused ? <Act intent="resume">{copy.resume}</Act> : null}
          {canRetry ? <Act intent="retry-failed">{copy.retryFailed}</Act> : null}
          {running || paused ? (
            <Link to={cancelLink} className={buttonVariants({ variant: "danger", size: "dense" })}>
              {copy.cancel}
            </Link>
          ) : null}
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
