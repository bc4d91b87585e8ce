import type { Database } from "~/db/database.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createPasswordPolicy } from "~/services/accounts/password-policy.server";
import { newId } from "~/services/ids.server";
import { createPendingLogins } from "~/services/second-factor/pending-logins.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createTestClock } from "./time";

export const hasher = new Argon2PasswordHasher();
export const SUPERADMIN_EMAIL = "superadmin@example.com";
export const origin = { address: "203.0.113.9", network: "203.0.113.0", requestId: "r1", userAgent: "test" };

/** The dependencies of the account services, with a clock that only a test moves. */
export function createAccountDeps(database: Database) {
  const passwordPolicy = createPasswordPolicy({ minLength: 6, brandWords: ["Confer", "frontdesk"] });
  const clock = createTestClock();
  const pendingLogins = createPendingLogins({ secret: "a secret of the tests", clock });
  return { database, hasher, passwordPolicy, pendingLogins, clock, newId };
}

/** Logs in and resolves with the session's id. */
export async function openSession(
  accounts: ReturnType<typeof createAccounts>,
  given: { email: string; password: string },
): Promise<string> {
  const outcome = await accounts.logIn(given, origin);
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.sessionId;
}

/** Creates the first superadmin in a database, with the services and functions to log in as them. */
export async function createSuperadmin(database: Database, password = "correct horse") {
  const deps = createAccountDeps(database);
  const superadmin = await ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password });
  const accounts = createAccounts(deps);
  const sessions = createSessions(deps);
  const logIn = (given: { email?: string; password?: string; from?: string } = {}) =>
    accounts.logIn(
      { email: given.email ?? SUPERADMIN_EMAIL, password: given.password ?? "correct horse" },
      { ...origin, address: given.from ?? origin.address },
    );
  const session = async () => {
    const outcome = await logIn();
    if (!outcome.ok) throw new Error(outcome.error);
    return outcome.sessionId;
  };
  return { ...deps, superadmin, accounts, sessions, logIn, session };
}
