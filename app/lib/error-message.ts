/** Returns the message of whatever was thrown; the name of an error that has none, as one that joins others. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
