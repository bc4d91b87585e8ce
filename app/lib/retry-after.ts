import { seconds } from "./durations";
import { maskBeginning } from "./mask-secrets";

/** Parses Retry-After, seconds or a date (RFC 9110, section 10.2.3), to milliseconds from `now`. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? seconds(Number(header)) : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Read of a message, which may begin with much white space. */
const MAX_READ = 2000;

/** Formats another server's message as one safe line. @param secrets our own, which it may repeat. */
export const toOneLine = (text: string, secrets: readonly string[] = []): string =>
  maskBeginning(text, MAX_READ, secrets).replace(/\s+/g, " ").trim().slice(0, 200);
