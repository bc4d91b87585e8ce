import type { Insertable } from "kysely";
import type { Write } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import type { Clock, NewId } from "~/services/service-deps";
import type { PasswordHasher } from "./password-hasher";
import { createTemporaryPassword, TEMPORARY_PASSWORD_MS } from "./passwords.server";

/**
 * Creates a temporary password, in clear for its owner and hashed as the columns of an account; a random one
 * unless one is given.
 */
export async function issuePassword(
  { hasher, clock }: { hasher: PasswordHasher; clock: Clock },
  temporaryPassword = createTemporaryPassword(),
) {
  const stored = {
    password_hash: await hasher.hash(temporaryPassword),
    password_is_temporary: 1 as const,
    password_expires_at: clock() + TEMPORARY_PASSWORD_MS,
  };
  return { temporaryPassword, stored };
}

type NewAccount = Omit<Insertable<AccountsTable>, "id" | "full_name" | "created_at" | "last_login_at">;

/** Inserts an account. @returns undefined when the address already has one. */
export function insertAccount(
  trx: Write,
  { clock, newId }: { clock: Clock; newId: NewId },
  { fullName, ...columns }: NewAccount & { fullName: string },
): Promise<{ email: string; full_name: string } | undefined> {
  return trx
    .insertInto("accounts")
    .values({ ...columns, id: newId(), full_name: fullName, created_at: clock(), last_login_at: null })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning(["email", "full_name"])
    .executeTakeFirst();
}
