import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { within } from "~/lib/within";

/** How long a page waits for what it records about itself. */
const WAIT_MS = 250;

/**
 * Waits shortly for a write that a page makes only in passing, such as when a session was last used: a slow one goes on
 * without the page, so that a locked database delays none (hardening R7), and one that takes no writes fails none.
 * @returns undefined when the write is slow, or the database takes none.
 */
export async function recordInPassing<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await within(WAIT_MS, write);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return undefined;
  }
}
