import { TextField } from "~/components/text-field";
import { toMaxLength } from "~/lib/max-length";

type Name = "email" | "fullName";

interface ColleagueFieldsProps {
  labels: Readonly<Record<Name, string>>;
  /** The fields of a refused form. */
  fields: { values: Readonly<Record<Name, string>>; errors: Partial<Record<Name, string>> } | undefined;
}

/** The address and the name of somebody who gets an account. */
export function ColleagueFields({ labels, fields }: ColleagueFieldsProps) {
  return (
    <>
      <TextField
        label={labels.email}
        error={fields?.errors.email}
        type="email"
        name="email"
        maxLength={254}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={fields?.values.email}
      />
      <TextField
        label={labels.fullName}
        error={fields?.errors.fullName}
        name="fullName"
        maxLength={toMaxLength(200)}
        autoComplete="off"
        defaultValue={fields?.values.fullName}
      />
    </>
  );
}
