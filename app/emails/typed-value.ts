import { toSafeName } from "~/lib/safe-name";
import { toHeaderText } from "~/services/mail/email-headers";

/** In code points. */
const MAX_LENGTH = 100;

/**
 * Cleans what a person typed into a public form, such as a name, for an email: one line of at most 100 characters; empty
 * when it is not safe (hardening C42).
 */
export function toTypedValue(typed: string): string {
  const value = toSafeName(toHeaderText(typed.toWellFormed()));
  return [...value].slice(0, MAX_LENGTH).join("").trim();
}
