import type { Migration } from "kysely/migration";
import { days } from "~/lib/durations";
import { isPostgres, runStatements } from "../run-statements";

/** Emails that ended earlier are not moved: their rows would be swept. */
const RETENTION_MS = days(30);

/**
 * Creates one table for every email that is no delivery of a campaign, and moves there the emails of confirmation
 * requests and the emails of the API that idempotency keys stood for.
 */
export const transactionalEmails: Migration = {
  up: (db) => {
    const onPostgres = isPostgres(db);
    const outcome = (name: "kind" | "detail") =>
      onPostgres ? `(outcome::json ->> '${name}')` : `json_extract(outcome, '$.${name}')`;
    return runStatements(db, [
      `create table transactional_emails (
        id text primary key,
        kind text not null,
        unique_key text not null,
        data text not null,
        address text not null,
        email_key text not null,
        message_id text not null,
        state text not null,
        detail text not null,
        attempts integer not null,
        resent_after_crash integer not null default 0,
        not_before bigint not null,
        lease_owner text not null,
        lease_until bigint not null,
        created_at bigint not null,
        updated_at bigint not null,
        constraint transactional_emails_once unique (kind, unique_key)
      )`,
      // Queue: rows that may be claimed, and claimed rows, to find those whose lease expired.
      `create index transactional_emails_due on transactional_emails (not_before desc, id) where state in ('pending', 'retrying')`,
      `create index transactional_emails_claimed on transactional_emails (lease_until) where state = 'claimed'`,
      // To count the waiting ones of a kind.
      `create index transactional_emails_waiting on transactional_emails (kind) where state in ('pending', 'retrying')`,
      // To sweep, and for all data of one person.
      `create index transactional_emails_age on transactional_emails (kind, created_at)`,
      `create index transactional_emails_to on transactional_emails (email_key, id)`,

      `insert into transactional_emails (id, kind, unique_key, data, address, email_key, message_id, state, detail,
        attempts, resent_after_crash, not_before, lease_owner, lease_until, created_at, updated_at)
      select id, 'confirmation', id || '.' || requested_at,
        '{"id":"' || id || '","requested_at":' || requested_at || '}', address, email_key, '', state, detail,
        attempts, resent_after_crash, not_before, lease_owner, lease_until, requested_at, updated_at
      from confirmations
      where state in ('pending', 'retrying', 'claimed') or updated_at > ${Date.now() - RETENTION_MS}`,

      // A key without an outcome belongs to a call in flight, or one that a crash interrupted: the worker finds out.
      // Its reference is the Message-ID, <uuid@host>; that of a broadcast is its id.
      `insert into transactional_emails (id, kind, unique_key, data, address, email_key, message_id, state, detail,
        attempts, not_before, lease_owner, lease_until, created_at, updated_at)
      select substr(reference, 2, 36), 'api', id, '{"fingerprint":"' || fingerprint || '"}', '', '', reference,
        case when outcome is null then 'claimed' when ${outcome("kind")} = 'sent' then 'sent'
          when ${outcome("kind")} = 'refused' then 'failed' else 'uncertain' end,
        coalesce(${outcome("detail")}, ''), case when outcome is null then 0 else 1 end, 0, '', 0, claimed_at, claimed_at
      from idempotency_keys where reference like '<%'`,
      `delete from idempotency_keys where reference like '<%'`,

      ...(onPostgres ? dropEmailsOnPostgres() : dropEmailsOnSqlite()),
    ]);
  },
};

/** Columns of `confirmations` that described its email. */
const EMAIL_COLUMNS = [
  "state",
  "detail",
  "attempts",
  "resent_after_crash",
  "not_before",
  "lease_owner",
  "lease_until",
  "updated_at",
];

function dropEmailsOnPostgres(): string[] {
  return [
    `drop index confirmations_due`,
    `drop index confirmations_claimed`,
    `alter table confirmations ${EMAIL_COLUMNS.map((column) => `drop column ${column}`).join(", ")}`,
  ];
}

/** Copies the table once: SQLite would rewrite it for each dropped column. */
function dropEmailsOnSqlite(): string[] {
  const kept = "id, address, email_key, requested_at, confirmed_at";
  return [
    `create table kept_confirmations (
      id text primary key,
      address text not null,
      email_key text not null unique,
      requested_at bigint not null,
      confirmed_at bigint
    )`,
    `insert into kept_confirmations (${kept}) select ${kept} from confirmations`,
    `drop table confirmations`,
    `alter table kept_confirmations rename to confirmations`,
    `create index confirmations_unanswered on confirmations (requested_at) where confirmed_at is null`,
  ];
}
