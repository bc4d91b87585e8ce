import type { Database } from "~/db/database.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createAccountDeps, origin, openSession } from "./accounts";

export const SUPERADMIN = { email: "superadmin@example.com", password: "correct horse" };
export const ADA = { email: "ada@example.com", fullName: "Ada Byron" };
export const PROTECTED = { email: "owner@example.com", fullName: "The Owner" };

/** Creates user management and a logged-in superadmin. */
export async function createTestUserManagement(database: Database) {
  const deps = createAccountDeps(database);
  await ensureSuperadmin(deps, SUPERADMIN);
  const accounts = createAccounts(deps);
  const sessions = createSessions(deps);
  const users = createUserManagement({ ...deps, protectedAccounts: [PROTECTED.email] });
  const who = (await sessions.find(await openSession(accounts, SUPERADMIN)))!;
  /** Adds an account; resolves with its credentials and its id. */
  const add = async (given: { email: string; fullName: string }) => {
    const added = await users.addAccount(who, given, origin);
    if (!added.ok) throw new Error(added.error);
    return {
      email: added.email,
      password: added.temporaryPassword,
      id: (await findAccount(database, added.email))!.id,
    };
  };
  return { ...deps, accounts, sessions, users, who, add };
}

export function findAccount(database: Database, email: string) {
  return database.read.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
}
