import { seconds } from "./durations";
import { maskSecrets } from "./mask-secrets";

/** Retry-After: seconds or a date (RFC 9110, section 10.2.3). Undefined for what is neither. */
export function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? seconds(Number(header)) : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/**
 * What the other side said, fit for a line of ours.
 * @param secrets our own, which it may have repeated.
 */
export const oneLine = (text: string, secrets: readonly string[] = []): string =>
  maskSecrets(text, secrets).replace(/\s+/g, " ").trim().slice(0, 200);
