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

/** Says that a draft was discarded, with a button that restores it. */
export function DiscardedDraft({ draftId, action, className }: DiscardedDraftProps) {
  if (!draftId) return null;
  // The page's own Notice shows a refusal, hence form="none". When no answer comes, the browser stays at the form's URL, which
  // shows this again.
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
