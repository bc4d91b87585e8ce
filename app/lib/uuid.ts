const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether the value has the form of our ids. Checked before an id from a URL reaches a database. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Returns the lowest UUIDv7 of this time or later (RFC 9562, 5.7), for queries by time. */
export function getLeastUuid(at: number): string {
  const time = Math.max(0, at).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Returns the time of a UUIDv7, in epoch milliseconds. */
export function getUuidTime(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
