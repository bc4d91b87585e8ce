const ISO_MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/;

/** Formats the UTC minute of a time for an address: "2026-11-21T08:24Z". */
export const utcMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

/** Parses a UTC minute like 2026-11-21T08:24Z to its first millisecond; undefined when there is no such minute. */
export function startOfUtcMinute(minute: string): number | undefined {
  if (!ISO_MINUTE.test(minute)) return undefined;
  const at = Date.parse(minute);
  // Some engines accept 31 February as 3 March.
  return Number.isNaN(at) || utcMinute(at) !== minute ? undefined : at;
}
