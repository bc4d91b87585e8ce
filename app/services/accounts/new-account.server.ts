import type { Write } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { PasswordHasher } from "./password-hasher";
import { createTemporaryPassword, TEMPORARY_PASSWORD_MS } from "./passwords.server";

type IssuedPassword = Awaited<ReturnType<typeof issuePassword>>;

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

/** Inserts an account with the role admin. @returns undefined when the address already has an account. */
export function insertAccount(
  trx: Write,
  { clock, newId }: { clock: Clock; newId: NewId },
  input: { email: string; fullName: string; stored: IssuedPassword["stored"] },
): Promise<{ email: string; full_name: string } | undefined> {
  return trx
    .insertInto("accounts")
    .values({
      id: newId(),
      email: input.email,
      full_name: input.fullName,
      role: "admin",
      ...input.stored,
      created_at: clock(),
      last_login_at: null,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning(["email", "full_name"])
    .executeTakeFirst();
}
