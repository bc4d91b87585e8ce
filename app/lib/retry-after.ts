import { seconds } from "./durations";

/** Parses Retry-After, seconds or a date (RFC 9110, section 10.2.3), to milliseconds from `now`. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? seconds(Number(header)) : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
