/** Seconds to wait before the next attempt. */
export const BUSY_RETRY_SECONDS = 5;

/** Too many requests wait for the same dependency, so this one ends: answered with 503, and not logged as an error. */
export class BusyError extends Error {
  override name = "BusyError";

  /** @param dependency what they wait for, in words: "database". */
  constructor(dependency: string) {
    super(`too many requests wait for the ${dependency.replaceAll("-", " ")}`);
  }
}
