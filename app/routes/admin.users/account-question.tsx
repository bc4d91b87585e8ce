import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.users;
const secondFactor = operatorMessages.secondFactor.users;

const QUESTIONS = {
  remove: { title: copy.removeTitle, says: copy.removeQuestion, yes: copy.removeYes, no: copy.keepUser },
  reissue: { title: copy.reissueTitle, says: copy.reissueQuestion, yes: copy.reissue, no: copy.keepPassword },
  "reset-second-factor": {
    title: secondFactor.resetTitle,
    says: secondFactor.resetQuestion,
    yes: secondFactor.resetYes,
    no: secondFactor.keep,
  },
};

interface AccountQuestionProps {
  step: keyof typeof QUESTIONS;
  account: { id: string; email: string; fullName: string };
}

/** None of them can be undone, so it says what will be lost, of whom, and asks. Its address is `?step=...&account=...`. */
export function AccountQuestion({ step, account }: AccountQuestionProps) {
  const { title, says, yes, no } = QUESTIONS[step];
  return (
    <ConfirmDialog
      title={title}
      yes={yes}
      no={no}
      closeTo={paths.users}
      action={paths.users}
      intent={step}
      isDestructive
      fields={<input type="hidden" name="account" value={account.id} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="block font-medium">{account.fullName}</bdi>
        <bdi className="text-muted-foreground">{account.email}</bdi>
      </p>
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
