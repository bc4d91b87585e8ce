import type { ColumnType, Generated } from "kysely";
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
  /** An IANA name, in which this person sees times; null until they choose one. */
  time_zone: string | null;
}

export interface SessionsTable {
  /** SHA-256 of the id in the cookie, hex. */
  id_hash: string;
  account_id: string;
  created_at: EpochMs;
  last_seen_at: EpochMs;
  user_agent: string;
  network: string;
}

/** When an account's owner looks at submissions, in all their browsers; at most one row per account. */
export interface VisitsTable {
  account_id: string;
  /** Last look of the visit before this one: what arrived since is new. Null during the first visit. */
  new_since: EpochMs | null;
  /** Last look of this visit, written at most every five minutes. Both are whole minutes. */
  last_seen_at: EpochMs;
}

/** Secret of an account's authentication codes; at most one row per account. */
export interface SecondFactorsTable {
  account_id: string;
  /** The secret, encrypted (`createSecretBox`). */
  sealed_secret: string;
  begun_at: EpochMs;
  /** Time at which a first code proved that the secret arrived; the second factor has no effect while null. */
  confirmed_at: EpochMs | null;
  /** Time step (RFC 6238) of the newest accepted code: it and older ones are used up. */
  last_step: number;
}

/** Unused recovery codes: a used one is deleted. */
export interface RecoveryCodesTable {
  account_id: string;
  /** SHA-256, hex. */
  code_hash: string;
}

/** Counters of attempts per key and window: login and form limits, shared by all instances. */
export interface AttemptsTable {
  key: string;
  count: number;
  resets_at: EpochMs;
}

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
  /** Up to a minute before the last call (TOUCH_MS); null before the first. */
  last_used_at: EpochMs | null;
  revoked_at: EpochMs | null;
}

/** Broadcasts of the API whose call carried an Idempotency-Key: each key is one broadcast. */
export interface IdempotencyKeysTable {
  /** `{token id}:{key}`: keys of different programs are independent. */
  id: string;
  /** SHA-256 of the request, hex. */
  fingerprint: string;
  /** Id of the broadcast, fixed before it begins. */
  reference: string;
  /** The same id once it is confirmed; null while it is in progress. */
  outcome: string | null;
  claimed_at: EpochMs;
}

/**
 * Audit entries: actor, action, time and origin. Never deleted by the product, and changed only by the action
 * itself while it is in progress.
 */
export interface AuditTable {
  id: string;
  at: ColumnType<EpochMs, EpochMs, never>;
  actor: string;
  action: string;
  subject: string;
  outcome: "ok" | "refused" | "failed";
  network: string;
  request_id: string;
  /** SHA-256 of the content and audience of a confirmed campaign (hardening C30); otherwise empty. */
  content_hash: Generated<string>;
}

/** Invitations of colleagues to the back office: each row is one link. */
export interface InvitationsTable {
  id: string;
  /** Lower case; at most one row of an address is neither accepted nor revoked. */
  email: string;
  full_name: string;
  /** SHA-256 of the token in the link, hex; the token itself is not stored. */
  token_hash: string;
  /** Id of an account: the links of a removed one end with it. */
  invited_by: string;
  created_at: EpochMs;
  expires_at: EpochMs;
  accepted_at: EpochMs | null;
  /** Also when a newer link replaced it. */
  revoked_at: EpochMs | null;
}

/** Changes of accounts' addresses: each row is one link, sent to the new address. */
export interface EmailChangesTable {
  id: string;
  /** At most one row of an account is neither confirmed nor withdrawn. */
  account_id: string;
  /** The new address, in lower case. */
  email: string;
  /** SHA-256 of the token in the link, hex; the token itself is not stored. */
  token_hash: string;
  created_at: EpochMs;
  expires_at: EpochMs;
  confirmed_at: EpochMs | null;
  /** Also when a newer link replaced it, or the account's password was replaced. */
  withdrawn_at: EpochMs | null;
}

/** Keys the product creates on first start; the environment overrides them. */
export interface SecretsTable {
  name: string;
  value: string;
  created_at: EpochMs;
}

export interface AccountTables {
  secrets: SecretsTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  visits: VisitsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  attempts: AttemptsTable;
  audit: AuditTable;
  api_tokens: ApiTokensTable;
  idempotency_keys: IdempotencyKeysTable;
  invitations: InvitationsTable;
  email_changes: EmailChangesTable;
}
