import { Form, Link } from "@remix-run/react";
import { DialogPage } from "~/components/dialog-page";
import { Button, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.outreachBooks;

/** Cancelling cannot be undone, so it says what will not be sent and asks. */
export function CancelQuestion({ sendId, waiting }: { sendId: string; waiting: number }) {
  const back = paths.outreachSend(sendId);
  return (
    <DialogPage title={copy.cancelTitle} closeTo={back}>
      <p>{copy.cancelQuestion(waiting)}</p>
      <Form method="post" action={back} className="mt-6 flex flex-wrap justify-end gap-2">
        <Link to={back} className={buttonVariants({ variant: "secondary", size: "dense" })}>
          {copy.keepSending}
        </Link>
        <Button type="submit" name="intent" value="cancel" variant="danger" size="dense">
          {copy.cancel}
        </Button>
      </Form>
    </DialogPage>
  );
}
