const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether this can be one of our ids. What came in a URL is asked before a database is. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** The least UUIDv7 that can have been made at this moment or later (RFC 9562, 5.7), so that ids can be asked for by time. */
export function leastUuidAt(at: number): string {
  const time = Math.max(0, at).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** When a UUIDv7 was made, in epoch milliseconds. */
export function timeOfUuid(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
