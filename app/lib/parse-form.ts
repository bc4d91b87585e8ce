import { z } from "zod";
import { cleanText, codePoints } from "./clean-text";
import { EMAIL_MAX_LENGTH, findForeignCharacter, isPlainAddress, toAsciiAddress } from "./email-address";
import { grouped } from "./format-number";

/** The submitted values: one a field, or a list for a repeated field. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

export type Parsed<T> =
  | { ok: true; value: T }
  | { ok: false; values: Record<keyof T & string, string>; errors: FieldErrors<keyof T & string> };

/** Parses a form, with the first error of each field; a repeated field is invalid (C19). */
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
    values: firstValues(form) as Record<keyof T & string, string>,
    errors: errors as FieldErrors<keyof T & string>,
  };
}

/** Returns the first value of each field, as typed. */
export function firstValues(form: FormValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, typeof value === "string" ? value : (value[0] ?? "")]),
  );
}

/** Returns every value of a field that may be repeated; none when the field is missing. */
export function allValues(form: FormValues, field: string): string[] {
  return [form[field] ?? []].flat();
}

interface TextRule {
  /** The field's name in messages: "your name". */
  label: string;
  /** The maximum length in code points after NFC (hardening C25). */
  max: number;
  required?: boolean;
  /** Says whether line breaks are refused, as in anything that becomes an email header. */
  singleLine?: boolean;
}

/** A text field, cleaned. A missing field counts as an empty one. */
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
      if (clean === undefined) return refuse(`Please remove the invisible NUL character from ${label}.`);
      if (required && clean === "") return refuse(`Please enter ${label}.`);
      if (codePoints(clean) > max) {
        return refuse(`Please shorten ${label} to ${grouped(max)} characters.`);
      }
      if (singleLine && clean.includes("\n")) return refuse(`Please keep ${label} on one line.`);
      return clean;
    });
}

/** One deliverable address, with its domain in ASCII (hardening R48). */
export function emailField({ label, required = true }: { label: string; required?: boolean }) {
  const field = textField({ label, max: EMAIL_MAX_LENGTH, required });
  return field.transform((value, context) => {
    const address = toAsciiAddress(value);
    if (value === "" || isPlainAddress(address)) return address;
    const foreign = findForeignCharacter(address);
    const message =
      foreign === undefined
        ? `Please enter ${label} like name@example.com.`
        : `Please enter ${label} without "${foreign}": before the @ only letters from a to z, digits and signs can be used.`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}
