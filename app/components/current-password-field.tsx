import { FormField } from "~/components/form-field";
import { Input } from "~/components/ui/input";

interface CurrentPasswordFieldProps {
  label: string;
  /** The account's address. */
  email: string;
  error: string | undefined;
}

/** Asks for the account's current password again, as `password`. It is never echoed. */
export function CurrentPasswordField({ label, email, error }: CurrentPasswordFieldProps) {
  return (
    <>
      {/* For password managers, which store a password under its account. */}
      <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
      <FormField label={label} error={error}>
        {(control) => (
          <Input
            {...control}
            required
            type="password"
            name="password"
            maxLength={1000}
            autoComplete="current-password"
          />
        )}
      </FormField>
    </>
  );
}
