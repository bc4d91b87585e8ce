import { randomBytes } from "node:crypto";
import type { Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endAccountSessions } from "~/services/sessions/sessions.server";
import type { PasswordHasher } from "./password-hasher";
import { insertAccount } from "./user-management.server";

export type FirstSuperadmin =
  /** The account was created or made the superadmin, with a temporary password that the caller prints, or with the configured one. */
  | { kind: "made"; email: string; temporaryPassword: string | undefined }
  /** The configured password replaced that of an account whose owner had not chosen one. */
  | { kind: "replaced"; email: string }
  /** The temporary password that an earlier start printed still logs in. */
  | { kind: "waiting"; email: string }
  /** The configured password has no effect: the owner chose another, or it was reset on the server. */
  | { kind: "ignored"; email: string; reason: "chosen" | "reset" }
  /** Nothing to print: the password was chosen by the owner, configured or reset. */
  | { kind: "ready" };

/**
 * Creates the superadmin when there is none; an account of that address becomes it. Without a configured password it
 * gets a random one that logs in until its owner chooses another, over any number of starts: only its hash is stored,
 * so a later start can neither print it again nor does it replace it. A configured password replaces that of an account whose owner
 * has not chosen one yet, so that a lost printout is no dead end; afterwards it is ignored, and so it is after a
 * reset on the server (`npm run accounts -- reset`). Instances that start together create one account.
 */
export async function ensureSuperadmin(
  deps: ServiceDeps & { hasher: PasswordHasher },
  wanted: { email: string; password: string | undefined },
): Promise<FirstSuperadmin> {
  const { database, hasher } = deps;
  const known = await database.read
    .selectFrom("accounts")
    .select(["id", "email", "last_login_at", "password_hash", "password_is_temporary", "password_expires_at"])
    .where("role", "=", "superadmin")
    .orderBy("id")
    .execute();
  // Only a reset password expires. A second superadmin is made by a first one who is finished, and is no first one.
  const isUnfinished = (account: (typeof known)[number]) =>
    (account.last_login_at === null || account.password_is_temporary === 1) &&
    account.password_expires_at === null;
  const unfinished = known.every(isUnfinished) ? known[0] : undefined;
  if (known.length > 0 && !unfinished) return describeFinished();
  if (unfinished && !wanted.password) {
    return unfinished.password_is_temporary === 1
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
        .where("password_expires_at", "is", null)
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
    const row = (await insertAccount(trx, deps, account)) ?? (await promote(trx, email));
    if (row) await createAudit(deps)(trx, SYSTEM, { action: "create-superadmin", subject: email });
    return row !== undefined;
  });
  if (made) return { kind: "made", email, temporaryPassword };
  // Another instance created the account first, and prints its password.
  return temporaryPassword === undefined ? { kind: "ready" } : { kind: "waiting", email };

  /** Makes the account that an import before the first start created for this address the superadmin. */
  async function promote(trx: Write, email: string) {
    const row = await trx
      .updateTable("accounts")
      .set({ role: "superadmin", ...password })
      .where("email", "=", email)
      .where("role", "<>", "superadmin")
      .returning("id")
      .executeTakeFirst();
    if (row) await endAccountSessions(trx, row.id);
    return row;
  }

  /** Once the superadmin is finished: "ignored" where the configured password is no superadmin's, otherwise "ready". */
  async function describeFinished(): Promise<FirstSuperadmin> {
    const { password } = wanted;
    if (!password) return { kind: "ready" };
    const verdicts = await Promise.all(known.map((one) => hasher.verify(one.password_hash, password, "")));
    if (verdicts.some((verdict) => verdict !== "mismatch")) return { kind: "ready" };
    const account = known.find(({ email }) => email === emailKey(wanted.email)) ?? known[0];
    if (!account) return { kind: "ready" };
    const { email, password_expires_at: expiresAt } = account;
    return { kind: "ignored", email, reason: expiresAt === null ? "chosen" : "reset" };
  }
}
