import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/** Creates campaigns, deliveries, suppressed addresses, bounce reports, and the development outbox. */
export const outreach: Migration = {
  up: (db) => {
    const onPostgres = isPostgres(db);
    return runStatements(db, [
      `create table campaigns (
        id text primary key,
        state text not null,
        audience text not null,
        title text not null,
        message text not null,
        test_address text not null,
        created_by text not null,
        created_at bigint not null,
        touched_at bigint not null default 0,
        touched_by text not null default '',
        confirmed_at bigint,
        finished_at bigint,
        prepared_through text not null default '',
        audience_through text not null default '',
        audience_position bigint not null default 0,
        counted bigint not null default 0,
        problem text not null default '',
        resume_at bigint not null default 0,
        waits_for text not null default '',
        when_missed text not null default '',
        latest_answers integer not null default 0
      )`,
      `create index campaigns_state on campaigns (state, id)`,

      `create table deliveries (
        id text primary key,
        campaign_id text not null references campaigns (id) on delete cascade,
        address text not null,
        email_key text not null,
        name text not null,
        message_id text not null,
        state text not null,
        detail text not null,
        attempts integer not null default 0,
        resent_after_crash integer not null default 0,
        not_before bigint not null,
        lease_owner text not null,
        lease_until bigint not null,
        updated_at bigint not null,
        constraint deliveries_once_per_address unique (campaign_id, email_key)
      )`,
      // Rows that may be claimed, due retries before first attempts; claimed rows, to find those whose lease
      // expired.
      `create index deliveries_due on deliveries (campaign_id, not_before desc, id) where state in ('pending', 'retrying')`,
      `create index deliveries_claimed on deliveries (lease_until) where state = 'claimed'`,
      `create index deliveries_by_state on deliveries (campaign_id, state, id)`,
      // With the reasons, so that grouping thousands of them reads no rows, each of which is on another page.
      `create index deliveries_failed on deliveries (campaign_id, id, detail) where state = 'failed'`,

      // Shards, because all instances would wait for each other on one row, until the end of each one's
      // transaction.
      `create table delivery_counts (
        campaign_id text not null,
        state text not null,
        reason text not null,
        shard integer not null,
        count bigint not null,
        constraint delivery_counts_key primary key (campaign_id, state, reason, shard)
      )`,
      ...(onPostgres ? deliveryTriggersOnPostgres() : deliveryTriggersOnSqlite()),

      `create table suppressions (
        email_key text primary key,
        id text not null default '',
        address text not null default '',
        reason text not null,
        detail text not null default '',
        opted_out integer not null default 0,
        delivery_id text,
        created_at bigint not null
      )`,
      // Newest first, with the other filter columns, so that rows that do not match are not read.
      `create index suppressions_newest on suppressions (id, reason, email_key)`,
      `create index suppressions_by_reason on suppressions (reason, id, email_key)`,
      // For prefixes of an address: byte by byte, whatever the database's own collation is.
      `create index suppressions_search on suppressions (email_key ${onPostgres ? `collate "C"` : ""}, reason, id)`,

      `create table bounces (
        id text primary key,
        type text not null,
        permanent integer not null,
        address text not null,
        reason text not null,
        campaign_id text,
        delivery_id text,
        happened_at bigint not null,
        received_at bigint not null
      )`,
      `create index bounces_of_campaign on bounces (campaign_id, delivery_id, type, permanent) where campaign_id is not null`,
      // For all data of one person, here and in the outbox.
      `create index bounces_of_address on bounces (lower(address))`,

      `create table email_days (
        day text primary key,
        emails bigint not null
      )`,

      `create table outbox_emails (
        id text primary key,
        message_id text not null unique,
        to_address text not null,
        subject text not null,
        file text not null,
        created_at bigint not null
      )`,
      `create index outbox_emails_newest on outbox_emails (created_at, id)`,
      `create index outbox_emails_to on outbox_emails (lower(to_address))`,
    ]);
  },
};

/** Returns the count that a delivery belongs to: skipped ones are counted by reason. */
const countsAs = (row: string) =>
  `${row}.campaign_id, ${row}.state, case ${row}.state when 'skipped' then ${row}.detail else '' end`;

/**
 * Creates the triggers that maintain `delivery_counts`: counting a million rows took 180 ms on SQLite, which blocks
 * everything else, at every view of a campaign. Triggers, because a dozen statements change the states.
 */
function deliveryTriggersOnSqlite(): string[] {
  const add = (row: "new" | "old", by: 1 | -1) => `
    insert into delivery_counts (campaign_id, state, reason, shard, count)
    select ${countsAs(row)}, 0, ${by} where true
    on conflict (campaign_id, state, reason, shard) do update set count = count + excluded.count;
  `;
  return [
    `create trigger deliveries_counted_insert after insert on deliveries begin ${add("new", 1)} end`,
    `create trigger deliveries_counted_delete after delete on deliveries begin ${add("old", -1)} end`,
    `create trigger deliveries_counted_update after update of state, detail on deliveries
    when old.state <> new.state or (new.state = 'skipped' and old.detail <> new.detail)
    begin ${add("old", -1)} ${add("new", 1)} end`,
  ];
}

/** Creates the same triggers once per statement, however many rows it changes. */
function deliveryTriggersOnPostgres(): string[] {
  const added = `select ${countsAs("added")}, 1 from added`;
  const removed = `select ${countsAs("removed")}, -1 from removed`;
  const trigger = (event: "insert" | "delete" | "update", rows: string, changes: string) => [
    `create function deliveries_counted_${event}() returns trigger language plpgsql as $$
    begin
      insert into delivery_counts as counted (campaign_id, state, reason, shard, count)
      select campaign_id, state, reason, pg_backend_pid() % 16, sum(change)
      from (${changes}) as changes (campaign_id, state, reason, change)
      group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
      on conflict (campaign_id, state, reason, shard) do update set count = counted.count + excluded.count;
      return null;
    end $$`,
    `create trigger deliveries_counted_${event} after ${event} on deliveries referencing ${rows}
    for each statement execute function deliveries_counted_${event}()`,
  ];
  return [
    ...trigger("insert", "new table as added", added),
    ...trigger("delete", "old table as removed", removed),
    ...trigger("update", "new table as added old table as removed", `${added} union all ${removed}`),
  ];
}
