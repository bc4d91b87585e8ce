import { Form } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { IntentButton } from "~/components/intent-button";
import { outreachMessages as copy } from "~/content/outreach";
import { linkTo } from "~/http/list-state";

interface DiscardedDraftProps {
  /** From the URL; undefined when nothing was discarded. */
  draftId: string | undefined;
  action: string;
  className?: string;
}

export function DiscardedDraft({ draftId, action, className }: DiscardedDraftProps) {
  if (!draftId) return null;
  // The page's own Notice shows a refusal. When no answer comes, the browser is at the form's URL: it keeps this notice.
  return (
    <Notice only={["draft-discarded"]} form="none" className={className}>
      <Form
        method="post"
        action={linkTo(action, { notice: "draft-discarded", discarded: draftId })}
        className="mt-1.5"
      >
        <input type="hidden" name="draft" value={draftId} />
        <IntentButton intent="restore">{copy.undo}</IntentButton>
      </Form>
    </Notice>
  );
}
