import { z } from "zod";
import { cleanText, codePoints } from "~/lib/clean-text";
import { EMAIL_MAX_LENGTH, findForeignCharacter, isPlainAddress, toAsciiAddress } from "~/lib/email-address";
import { grouped } from "~/lib/format-number";
import { isUuid } from "~/lib/uuid";

/** Fields of bodies and queries. Each states its rule in its messages and, for the document, in its schema. */

interface TextRule {
  /** The maximum length in code points after NFC (hardening C25). */
  readonly max: number;
  /** Whether line breaks are refused, as in anything that becomes a header. */
  readonly singleLine?: boolean;
  /** Whether an empty text is valid. */
  readonly mayBeEmpty?: boolean;
}

/** A text, cleaned. */
export function text(about: string, { max, singleLine = true, mayBeEmpty = false }: TextRule) {
  const least = mayBeEmpty ? 0 : 1;
  const lines = singleLine ? " on one line" : "";
  const rule = `must be a string of ${least} to ${grouped(max)} characters${lines}`;
  return z
    .string({ error: rule })
    .meta({ description: about, minLength: least, maxLength: max })
    .transform((value, context) => {
      const clean = cleanText(value);
      const isFine =
        clean !== undefined &&
        codePoints(clean) >= least &&
        codePoints(clean) <= max &&
        !(singleLine && clean.includes("\n"));
      if (isFine) return clean;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    });
}

/** Exactly one deliverable address (C19); its domain becomes ASCII (R48). */
export function address(about: string) {
  const rule = "must be one plain address like name@example.com";
  return z
    .string({ error: rule })
    .meta({ description: about, format: "email", maxLength: EMAIL_MAX_LENGTH })
    .transform((value, context) => {
      const plain = toAsciiAddress(value);
      if (isPlainAddress(plain)) return plain;
      const isForeign = findForeignCharacter(plain) !== undefined;
      const message = isForeign ? "must have only ASCII letters, digits and signs before the @" : rule;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    });
}

/** A date without a time. */
export function day(about: string) {
  return z.iso.date({ error: "must be a day like 2026-12-31" }).meta({ description: about });
}

/** The maximum of returned items, in a query; defaults to `max`. */
export function limit(about: string, { max }: { max: number }) {
  const rule = { error: `must be a whole number from 1 to ${grouped(max)}` };
  return z.coerce
    .number(rule)
    .int(rule)
    .min(1, rule)
    .max(max, rule)
    .default(max)
    .meta({ description: about });
}

/** The page after one, in a query: its `next`, an id. */
export const after = () =>
  z
    .string()
    .refine(isUuid, { error: "must be `next` of the previous response" })
    .optional()
    .meta({ description: "`next` of the previous response, for the following page." });

/** Formats a time of ours, in epoch milliseconds, for a response. */
export const toTime = (at: number): string => new Date(at).toISOString();

/** The URL of a web page, for use in an email. */
export function webLink(about: string) {
  const rule = "must be a URL like https://example.com/page, of at most 2,000 characters";
  return z
    .string({ error: rule })
    .max(2000, { error: rule })
    .regex(/^https?:\/\/[!#-;=?-~]+$/, { error: rule })
    .meta({ description: about });
}
