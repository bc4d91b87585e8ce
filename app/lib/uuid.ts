const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether this can be one of our ids. What came in a URL is asked before a database is: PostgreSQL refuses a NUL in text. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
