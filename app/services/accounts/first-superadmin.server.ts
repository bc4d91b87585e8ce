import { randomBytes } from "node:crypto";
import { emailKey } from "~/lib/email-address";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endAccountSessions } from "~/services/sessions/sessions.server";
import type { PasswordHasher } from "./password-hasher";
import { insertAccount } from "./user-management.server";

export type FirstSuperadmin =
  /** The account was created, with a temporary password that the caller prints, or with the configured one. */
  | { kind: "made"; email: string; temporaryPassword: string | undefined }
  /** The configured password replaced that of an account whose owner had not chosen one. */
  | { kind: "replaced"; email: string }
  /** The temporary password that an earlier start printed still logs in. */
  | { kind: "waiting"; email: string }
  /** Nothing to print: the password was chosen by the owner or configured. */
  | { kind: "ready" };

/**
 * Creates the superadmin when there is none. Without a configured password it gets a random one that logs in
 * until its owner chooses another, over any number of starts: only its hash is stored, so a later start can
 * neither print it again nor does it replace it. A configured password replaces that of an account whose owner
 * has not chosen one yet, so that a lost printout is no dead end. Instances that start together create one
 * account.
 */
export async function ensureSuperadmin(
  deps: ServiceDeps & { hasher: PasswordHasher },
  wanted: { email: string; password: string | undefined },
): Promise<FirstSuperadmin> {
  const { database, hasher } = deps;
  const known = await database.read
    .selectFrom("accounts")
    .select(["id", "email", "last_login_at", "password_is_temporary"])
    .where("role", "=", "superadmin")
    .execute();
  const unfinished = known.find(
    (account) => account.last_login_at === null || account.password_is_temporary === 1,
  );
  if (known.length > 0 && !(wanted.password && unfinished)) {
    return unfinished?.password_is_temporary === 1
      ? { kind: "waiting", email: unfinished.email }
      : { kind: "ready" };
  }

  const temporaryPassword = wanted.password ? undefined : randomBytes(12).toString("base64url");
  const password = {
    password_hash: await hasher.hash(wanted.password ?? temporaryPassword ?? ""),
    password_is_temporary: temporaryPassword ? (1 as const) : (0 as const),
    password_expires_at: null,
  };
  if (unfinished) {
    const isReplaced = await database.write(async (trx) => {
      const replaced = await trx
        .updateTable("accounts")
        .set(password)
        .where("id", "=", unfinished.id)
        .where((row) => row.or([row("last_login_at", "is", null), row("password_is_temporary", "=", 1)]))
        .returning("id")
        .executeTakeFirst();
      if (replaced) await endAccountSessions(trx, replaced.id);
      return replaced !== undefined;
    });
    return isReplaced ? { kind: "replaced", email: unfinished.email } : { kind: "ready" };
  }
  const email = emailKey(wanted.email);
  const made = await database.write(async (trx) => {
    const account = { email, full_name: "Superadmin", role: "superadmin", ...password } as const;
    const row = await insertAccount(trx, deps, account);
    if (row) await createAudit(deps)(trx, SYSTEM, { action: "create-superadmin", subject: email });
    return row !== undefined;
  });
  if (made) return { kind: "made", email, temporaryPassword };
  // Another instance created the account first, and prints its password.
  return temporaryPassword === undefined ? { kind: "ready" } : { kind: "waiting", email };
}
