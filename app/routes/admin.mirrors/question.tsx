import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { SubmissionKind } from "~/services/signups/typed-columns";

const copy = operatorMessages.mirrors;

/** Says what a repair overwrites, and asks. */
export function Question({ kind, isRepeatable }: { kind: SubmissionKind; isRepeatable: boolean }) {
  const { title, places, appends, keep, yes } = copy.question;
  return (
    <ConfirmDialog
      title={title(copy.forms[kind])}
      closeTo={paths.mirrors}
      action={paths.mirrors}
      intent="repair"
      yes={yes}
      no={keep}
      fields={<input type="hidden" name="kind" value={kind} />}
    >
      {(isRepeatable ? places : appends).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
