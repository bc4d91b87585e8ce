import { randomBytes } from "node:crypto";
import type { Database } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { endSessionsOf } from "~/services/sessions/sessions.server";
import type { PasswordHasher } from "./password-hasher";

export type FirstSuperadmin =
  { made: false } | { made: true; email: string; oneTimePassword: string | undefined };

/**
 * Makes the superadmin when there is none. Without a given password it gets a random one that must be changed at the
 * first login; the caller prints it, once. A given password also replaces the one of an account that has none of its own
 * yet, so that neither a lost printout nor a one-time password used up in vain is a dead end. Instances that start
 * together make one account.
 */
export async function ensureSuperadmin(
  has: { database: Database; hasher: PasswordHasher; clock: Clock; newId: NewId },
  wanted: { email: string; password: string | undefined },
): Promise<FirstSuperadmin> {
  const { database, hasher, clock, newId } = has;
  const known = await database.read
    .selectFrom("accounts")
    .select(["id", "last_login_at", "password_is_temporary"])
    .where("role", "=", "superadmin")
    .execute();
  const unfinished = known.find(
    (account) => account.last_login_at === null || account.password_is_temporary === 1,
  );
  if (known.length > 0 && !(wanted.password && unfinished)) return { made: false };

  const oneTimePassword = wanted.password ? undefined : randomBytes(12).toString("base64url");
  const password = {
    password_hash: await hasher.hash(wanted.password ?? oneTimePassword ?? ""),
    password_is_temporary: oneTimePassword ? (1 as const) : (0 as const),
    password_expires_at: null,
  };
  if (unfinished) {
    await database.write(async (trx) => {
      const replaced = await trx
        .updateTable("accounts")
        .set(password)
        .where("id", "=", unfinished.id)
        .where((where) =>
          where.or([where("last_login_at", "is", null), where("password_is_temporary", "=", 1)]),
        )
        .returning("id")
        .executeTakeFirst();
      if (replaced) await endSessionsOf(trx, replaced.id);
    });
    return { made: false };
  }
  const email = emailKey(wanted.email);
  const made = await database.write(async (trx) => {
    const row = await trx
      .insertInto("accounts")
      .values({
        id: newId(),
        email,
        full_name: "Superadmin",
        role: "superadmin",
        ...password,
        created_at: clock(),
        last_login_at: null,
      })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (row) {
      await recordAudit(trx, {
        ...{ id: newId(), at: clock(), actor: "system", action: "create-superadmin" },
        ...{ subject: email, outcome: "ok", network: "", requestId: "" },
      });
    }
    return row !== undefined;
  });
  return made ? { made: true, email, oneTimePassword } : { made: false };
}
