import { Field } from "~/components/field";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";

interface PasswordFieldProps {
  email: string;
  error: string | undefined;
}

/** The password of whoever is logged in, asked for once more. It is never echoed. */
export function PasswordField({ email, error }: PasswordFieldProps) {
  return (
    <>
      {/* For password managers, which file a password under its account. */}
      <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
      <Field label={operatorMessages.secondFactor.password} {...(error && { error })}>
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
  );
}
