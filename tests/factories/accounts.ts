import type { Database } from "~/db/database.server";
import type { createAccounts } from "~/services/accounts/accounts.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { createPasswordPolicy } from "~/services/accounts/password-policy.server";
import { newId } from "~/services/ids.server";
import { testClock } from "./time";

export const hasher = new Argon2PasswordHasher();
export const origin = { address: "203.0.113.9", network: "203.0.113.0", requestId: "r1", userAgent: "test" };

/** What the services for accounts are made of, on a clock that stands still until a test moves it. */
export function accountParts(database: Database) {
  const passwordPolicy = createPasswordPolicy({ minLength: 6, brandWords: ["Confer", "frontdesk"] });
  return { database, hasher, passwordPolicy, clock: testClock(), newId };
}

/** Logs in; resolves with the session's id. */
export async function sessionOf(
  accounts: ReturnType<typeof createAccounts>,
  given: { email: string; password: string },
): Promise<string> {
  const outcome = await accounts.logIn(given, origin);
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.sessionId;
}
