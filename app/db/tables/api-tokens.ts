import type { AccountsTable } from "./accounts";
import type { EpochMs } from "./columns";

/** Tokens with which programs call the API. Rows stay after a token ended, so that its owner sees its state. */
export interface ApiTokensTable {
  id: string;
  account_id: string;
  /** The account's role when the token was created: a lesser one ends it. */
  account_role: AccountsTable["role"];
  name: string;
  /** First characters of the token, for recognition; they do not reveal the rest. */
  prefix: string;
  /** SHA-256 of the token, hex; the token itself is not stored. */
  token_hash: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: EpochMs;
  /** Null: never. */
  expires_at: EpochMs | null;
  /** Rounded to the minute; null before the first call. */
  last_used_at: EpochMs | null;
  revoked_at: EpochMs | null;
}
