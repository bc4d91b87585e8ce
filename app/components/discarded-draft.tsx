import { Form } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { IntentButton } from "~/components/intent-button";
import { outreachMessages as copy } from "~/content/outreach";

interface DiscardedDraftProps {
  /** From the URL; undefined when nothing was discarded. */
  draftId: string | undefined;
  action: string;
  className?: string;
}

export function DiscardedDraft({ draftId, action, className }: DiscardedDraftProps) {
  if (!draftId) return null;
  return (
    <Notice only={["draft-discarded"]} className={className}>
      <Form method="post" action={action} className="mt-1.5">
        <input type="hidden" name="draft" value={draftId} />
        <IntentButton intent="restore">{copy.undo}</IntentButton>
      </Form>
    </Notice>
  );
}
