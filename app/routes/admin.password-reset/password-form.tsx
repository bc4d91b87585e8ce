import { Form, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { Field } from "~/components/field";
import { useNotice } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import type { PasswordAnswer } from "./actions.server";

const SUMMARY_ID = "password-summary";

const FIELDS = [
  { name: "current", label: "Current Password", autoComplete: "current-password" },
  { name: "next", label: "New Password", autoComplete: "new-password" },
  { name: "confirm", label: "Confirm New Password", autoComplete: "new-password" },
] as const;

interface PasswordFormProps {
  email: string;
  /** Where the form is sent to. */
  action: string;
  /** In characters: what the server will ask for. */
  lengths: { min: number; max: number };
  answer: PasswordAnswer | undefined;
}

export function PasswordForm({ email, action, lengths, answer }: PasswordFormProps) {
  const busy = useNavigation().formAction === action;
  const form = useRef<HTMLFormElement>(null);
  const changed = useNotice(["password-changed"]);
  const { key } = useLocation();

  useEffect(() => {
    if (changed) form.current?.reset();
  }, [changed, key]);

  return (
    <Card className="p-4 sm:p-6">
      {answer && !busy ? (
        <div id={SUMMARY_ID} className="mb-5">
          <Banner kind="error">
            <p className="font-medium">{answer.message}</p>
            {answer.advice ? <p>{answer.advice}</p> : null}
          </Banner>
        </div>
      ) : null}
      <Form ref={form} method="post" action={action} className="flex flex-col gap-5">
        {/* For password managers, which file a password under its account. */}
        <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
        {FIELDS.map(({ name, label, autoComplete }) => (
          <Field
            key={name}
            id={`password-${name}`}
            label={label}
            hint={name === "next" ? operatorMessages.password.atLeast(lengths.min) : undefined}
            error={answer?.errors[name]}
          >
            {(control) => (
              <Input
                {...control}
                required
                size="dense"
                type="password"
                name={name}
                autoComplete={autoComplete}
                maxLength={lengths.max}
                minLength={name === "current" ? undefined : lengths.min}
                // What went wrong, in the summary's words, belongs to the field that is at fault.
                aria-describedby={
                  [answer?.errors[name] && SUMMARY_ID, control["aria-describedby"]]
                    .filter(Boolean)
                    .join(" ") || undefined
                }
              />
            )}
          </Field>
        ))}
        <Button type="submit" size="dense" disabled={busy} className="self-start">
          {busy ? "Resetting..." : "Reset Password"}
        </Button>
      </Form>
    </Card>
  );
}
