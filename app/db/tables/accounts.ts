import type { EpochMs, IntegerBoolean } from "./columns";

export interface AccountsTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  full_name: string;
  role: "admin" | "superadmin";
  /** PHC string, argon2id. */
  password_hash: string;
  password_is_temporary: IntegerBoolean;
  /** End of a temporary password. Null for the first superadmin's, and for a password the person chose. */
  password_expires_at: EpochMs | null;
  created_at: EpochMs;
  last_login_at: EpochMs | null;
}
