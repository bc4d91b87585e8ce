import { z } from "zod";
import { cleanText, codePoints } from "./clean-text";
import { isPlainAddress } from "./email-address";

/** What was sent: one value a field, or several where a field came more than once. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** One sentence a field. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

export type Parsed<T> =
  | { ok: true; value: T }
  | { ok: false; values: Record<keyof T & string, string>; errors: FieldErrors<keyof T & string> };

/**
 * Parses a form by its schema. On failure the first error of each field comes back beside what was typed, so that the
 * page can show both; a field that was sent twice counts as wrong (C19).
 */
export function parseForm<T extends Record<string, string>>(
  schema: z.ZodType<T>,
  form: FormValues,
): Parsed<T> {
  const parsed = schema.safeParse(form);
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) errors[String(issue.path[0])] ??= issue.message;
  return {
    ok: false,
    values: typed(form) as Record<keyof T & string, string>,
    errors: errors as FieldErrors<keyof T & string>,
  };
}

/** What was typed, to be shown again. */
export function typed(form: FormValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, typeof value === "string" ? value : (value[0] ?? "")]),
  );
}

interface TextRule {
  /** What the field is called in a message: "your name". */
  label: string;
  /** Longest text in code points after NFC (hardening C25). */
  max: number;
  required?: boolean;
  /** Line breaks are refused, as in anything that becomes a mail header. */
  singleLine?: boolean;
}

/** A text field, cleaned. A missing field is an empty one. */
export function textField({ label, max, required = false, singleLine = true }: TextRule) {
  return z
    .string({ error: `Please enter ${label} once.` })
    .default("")
    .transform((value, context) => {
      const clean = cleanText(value);
      const refuse = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      if (clean === undefined) return refuse(`Please take the invisible NUL character out of ${label}.`);
      if (required && clean === "") return refuse(`Please enter ${label}.`);
      if (codePoints(clean) > max) {
        return refuse(`Please shorten ${label} to ${max.toLocaleString("en")} characters.`);
      }
      if (singleLine && clean.includes("\n")) return refuse(`Please keep ${label} on one line.`);
      return clean;
    });
}

/** One mailable address, as typed. */
export function emailField({ label, required = true }: { label: string; required?: boolean }) {
  return textField({ label, max: 254, required }).refine((value) => value === "" || isPlainAddress(value), {
    error: `Please enter ${label} like name@example.com.`,
  });
}
