import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/**
 * Creates accounts, their credentials, API tokens and the audit. app/db/tables/ documents the columns. In all areas
 * `bigint` is an integer on both databases, and text is unlimited.
 */
export const accounts: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table secrets (
        name text primary key,
        value text not null,
        created_at bigint not null
      )`,

      `create table accounts (
        id text primary key,
        email text not null unique,
        full_name text not null,
        role text not null,
        password_hash text not null,
        password_is_temporary integer not null,
        password_expires_at bigint,
        created_at bigint not null,
        last_login_at bigint,
        constraint accounts_role check (role in ('admin', 'superadmin'))
      )`,

      `create table sessions (
        id_hash text primary key,
        account_id text not null references accounts (id) on delete cascade,
        created_at bigint not null,
        last_seen_at bigint not null,
        user_agent text not null,
        network text not null
      )`,
      `create index sessions_account on sessions (account_id)`,

      `create table second_factors (
        account_id text primary key references accounts (id) on delete cascade,
        sealed_secret text not null,
        begun_at bigint not null,
        confirmed_at bigint,
        last_step bigint not null
      )`,

      `create table recovery_codes (
        account_id text not null references accounts (id) on delete cascade,
        code_hash text not null,
        constraint recovery_codes_key primary key (account_id, code_hash)
      )`,

      `create table attempts (
        key text primary key,
        count integer not null,
        resets_at bigint not null
      )`,
      `create index attempts_resets_at on attempts (resets_at)`,

      `create table api_tokens (
        id text primary key,
        account_id text not null references accounts (id) on delete cascade,
        account_role text not null,
        name text not null,
        prefix text not null,
        token_hash text not null unique,
        scopes text not null,
        created_at bigint not null,
        expires_at bigint,
        last_used_at bigint,
        revoked_at bigint
      )`,
      `create index api_tokens_account on api_tokens (account_id, id)`,
      // A call finds its token by the public prefix; the secret part is compared in constant time.
      `create index api_tokens_prefix on api_tokens (prefix)`,

      `create table idempotency_keys (
        id text primary key,
        fingerprint text not null,
        reference text not null,
        outcome text,
        claimed_at bigint not null
      )`,
      `create index idempotency_keys_claimed_at on idempotency_keys (claimed_at)`,

      `create table audit (
        id text primary key,
        at bigint not null,
        actor text not null,
        action text not null,
        subject text not null,
        outcome text not null,
        network text not null,
        request_id text not null,
        content_hash text not null default ''
      )`,
      // One index per filter, newest first within it. Each also holds the other two columns, so that a combined
      // filter is answered from whichever the planner takes, without reading rows that do not match.
      `create index audit_by_actor on audit (actor, id, action, outcome)`,
      `create index audit_by_action on audit (action, id, actor, outcome)`,
      `create index audit_by_outcome on audit (outcome, id, actor, action)`,
    ]),
};
