import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What a temporary password is here. */
interface Passwords {
  accounts: { role: string; password_is_temporary: number; password_expires_at: number | null };
}

/**
 * The first superadmin's temporary password has no end but its change (docs/decisions/0017). Earlier versions ended it with
 * its first login, and so locked out whoever left before choosing another.
 */
export const superadminPasswords: Migration = {
  async up(db: Kysely<unknown>) {
    await (db as Kysely<Passwords>)
      .updateTable("accounts")
      .set({ password_expires_at: null })
      .where("role", "=", "superadmin")
      .where("password_is_temporary", "=", 1)
      .execute();
  },
};
