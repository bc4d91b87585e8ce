import type { AccountsTable } from "./accounts";
import type { EpochMs } from "./columns";

/** What programs call the API with. Rows stay when a token is over, so that its owner sees what became of it. */
export interface ApiTokensTable {
  id: string;
  account_id: string;
  /** The account's role when the token was made: a lesser one ends it. */
  account_role: AccountsTable["role"];
  name: string;
  /** How the token begins, for recognition; nobody can go on from it. */
  prefix: string;
  /** SHA-256 of the token, hex; the token itself is kept nowhere. */
  token_hash: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: EpochMs;
  /** Null: never. */
  expires_at: EpochMs | null;
  /** To the minute; null before the first call. */
  last_used_at: EpochMs | null;
  revoked_at: EpochMs | null;
}
