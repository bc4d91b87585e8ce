import { CodeField } from "~/components/code-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { Field } from "~/components/field";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
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
      {...{ title, yes, no }}
      closeTo={paths.secondFactor}
      // Refused, the question stays open.
      action={`${paths.secondFactor}?step=${step}`}
      intent={step}
      isDestructive={step === "turn-off"}
      fields={
        <div className="mb-2 flex basis-full flex-col gap-4">
          {step === "turn-off" ? (
            <>
              {/* For password managers, which file a password under its account. */}
              <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
              <Field label={copy.on.password} {...(errors.password && { error: errors.password })}>
                {(control) => (
                  <Input
                    {...control}
                    required
                    size="dense"
                    type="password"
                    name="password"
                    maxLength={1000}
                    autoComplete="current-password"
                  />
                )}
              </Field>
            </>
          ) : null}
          <CodeField kind="any" size="dense" label={copy.eitherCode} error={errors.code} />
        </div>
      }
    >
      <Refusal refused={refused} />
      <p>{says}</p>
    </ConfirmDialog>
  );
}
