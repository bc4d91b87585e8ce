import { Form, Link, useNavigation } from "@remix-run/react";
import { DialogPage } from "~/components/dialog-page";
import { Button, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { AudiencePreview } from "./outreach-preview";

const copy = operatorMessages.outreach;

/** The last question. The draft's id is the send's id, so pressing twice sends once. */
export function OutreachConfirm(props: { draftId: string; title: string; preview: AudiencePreview }) {
  const { draftId, title, preview } = props;
  const busy = useNavigation().formData?.get("intent") === "confirm";
  const back = `${paths.dashboard}?${new URLSearchParams({ draft: draftId })}#outreach`;
  const skipped = preview.total - preview.mailable;
  return (
    <DialogPage title={copy.confirmTitle} closeTo={back}>
      <div className="flex flex-col gap-3">
        <p>
          {copy.confirm(preview.mailable)} {copy.cannotBeUndone} {copy.confirmQuestion}
        </p>
        <p className="border-l-2 pl-3 font-medium break-words">{title}</p>
        {skipped > 0 ? <p className="text-muted-foreground">{copy.skippedNow(skipped)}</p> : null}
      </div>
      <Form method="post" action={paths.dashboard} className="mt-6 flex flex-wrap justify-end gap-2">
        <input type="hidden" name="draft" value={draftId} />
        <input type="hidden" name="recipients" value={preview.mailable} />
        <Link
          to={back}
          preventScrollReset
          className={buttonVariants({ variant: "secondary", size: "dense" })}
        >
          {copy.cancel}
        </Link>
        <Button type="submit" name="intent" value="confirm" size="dense" disabled={busy}>
          {copy.confirmYes}
        </Button>
      </Form>
    </DialogPage>
  );
}
