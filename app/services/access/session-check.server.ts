import type { Cookie } from "@remix-run/node";
import { seconds } from "~/lib/durations";
import { within } from "~/lib/within";
import type { Clock } from "~/services/service-deps";
import type { LoginSessionStorage } from "./session-storage.server";

/** Time for which a result is remembered: an ended session keeps an operator's priority for that long at most. */
const REMEMBERED_MS = seconds(5);
/** Each is a session that was signed here; beyond this many all are forgotten. */
const MAX_REMEMBERED = 1000;
/** A database that does not answer gives nobody priority, and delays nobody for longer. */
const TIMEOUT_MS = seconds(1);

/**
 * Creates the check with which the guard recognises operators (hardening C47): a signed cookie of a session that has
 * not ended. A good signature alone would keep its rights after the session's end.
 */
export function createSessionCheck(deps: {
  cookie: Cookie;
  sessionStorage: Pick<LoginSessionStorage, "getSession">;
  clock: Clock;
}) {
  const { cookie, sessionStorage, clock } = deps;
  const remembered = new Map<string, { isAlive: Promise<boolean>; until: number }>();

  /** @param cookies a Cookie header. */
  return async function isSessionAlive(cookies: string): Promise<boolean> {
    const id: unknown = await cookie.parse(cookies);
    if (typeof id !== "string" || id === "") return false;
    const now = clock();
    const known = remembered.get(id);
    // A result of the future is from before the clock was set back.
    if (known && now < known.until && known.until <= now + REMEMBERED_MS) return known.isAlive;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    // Reading a session is no use of it.
    const isAlive = within(TIMEOUT_MS, sessionStorage.getSession(cookies)).then(
      (session) => session?.has("user") ?? false,
      () => false,
    );
    remembered.set(id, { isAlive, until: now + REMEMBERED_MS });
    return isAlive;
  };
}
