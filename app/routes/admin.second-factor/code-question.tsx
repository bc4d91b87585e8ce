import { CodeField } from "~/components/code-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { PasswordField } from "./password-field";
import { Refusal } from "./refusal";
import type { Refused } from "./refusal";

const copy = operatorMessages.secondFactor;

const QUESTIONS = {
  renew: {
    title: copy.on.renewTitle,
    says: copy.on.renewQuestion,
    yes: copy.on.renew,
    no: copy.on.keepCodes,
  },
  "turn-off": {
    title: copy.on.turnOffTitle,
    says: copy.on.turnOffQuestion,
    yes: copy.on.turnOffYes,
    no: copy.on.keep,
  },
};

interface CodeQuestionProps {
  step: keyof typeof QUESTIONS;
  email: string;
  refused: Refused | undefined;
}

/** What whoever sits at an open session must prove before it is done. Its address is `?step=...`. */
export function CodeQuestion({ step, email, refused }: CodeQuestionProps) {
  const { title, says, yes, no } = QUESTIONS[step];
  const errors = refused?.errors ?? {};
  return (
    <ConfirmDialog
      title={title}
      yes={yes}
      no={no}
      closeTo={paths.secondFactor}
      // Refused, the question stays open.
      action={`${paths.secondFactor}?step=${step}`}
      intent={step}
      isDestructive={step === "turn-off"}
      asksForInput
      fields={
        <div className="mb-2 flex basis-full flex-col gap-4">
          {step === "turn-off" ? <PasswordField email={email} error={errors.password} /> : null}
          <CodeField kind="any" size="dense" label={copy.eitherCode} error={errors.code} />
        </div>
      }
    >
      <Refusal refused={refused} />
      <p>{says}</p>
    </ConfirmDialog>
  );
}
