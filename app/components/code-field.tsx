import { FormField } from "~/components/form-field";
import { Input, type InputProps } from "~/components/ui/input";

type CodeFieldProps = Omit<InputProps, "name" | "type"> & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** authentication: six digits, for which phones show a number pad. any: accepts a recovery code too. */
  kind: "authentication" | "any";
};

/** Input for a one-time code. It is posted as `code`, never echoed; spaces and dashes in it are ignored. */
export function CodeField({ label, hint, error, kind, ...input }: CodeFieldProps) {
  return (
    <FormField label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          required
          name="code"
          type="text"
          maxLength={40}
          autoComplete={kind === "authentication" ? "one-time-code" : "off"}
          inputMode={kind === "authentication" ? "numeric" : undefined}
          autoCapitalize={kind === "authentication" ? undefined : "characters"}
          spellCheck={false}
          className="font-mono tracking-wider"
          {...input}
        />
      )}
    </FormField>
  );
}
