import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/** Adds the pace of campaigns, waves that repeat, their reminders, and the counts of the funnel (docs/decisions/0122). */
export const paceAndFunnel: Migration = {
  up: (db) => {
    const onPostgres = isPostgres(db);
    // Shards, because all instances would wait for each other on one row, until the end of each one's transaction.
    const shard = onPostgres ? "pg_backend_pid() % 16" : "0";
    return runStatements(db, [
      `alter table campaigns add column pace_ms bigint not null default 0`,
      `alter table campaigns add column next_at bigint`,

      `alter table campaigns add column plan_id text`,
      `alter table campaigns add column remind_ms bigint not null default 0`,
      // Who may be reminded, so that those who were are not read each minute.
      `create index wave_invitations_unreminded on wave_invitations (campaign_id, invited_at)
        where state = 'invited' and reminded_at is null`,
      `create table wave_plans (
        id text primary key,
        repeats text not null,
        minute integer not null,
        time_zone text not null,
        next_at bigint,
        run_id text,
        last_id text not null,
        ended text not null default '',
        created_by text not null,
        created_at bigint not null
      )`,
      `create index wave_plans_due on wave_plans (next_at) where next_at is not null`,

      `create table funnel_counts (
        day bigint not null,
        source text not null,
        shard integer not null,
        signups bigint not null,
        confirmed bigint not null,
        invited bigint not null,
        joined bigint not null,
        uninvited bigint not null,
        constraint funnel_counts_key primary key (day, source, shard)
      )`,
      // On PostgreSQL a trigger locks the table against writes, so that what is counted below is all there is.
      ...listTriggers(shard).flatMap(onPostgres ? toPostgres : toSqlite),
      `insert into funnel_counts (day, source, shard, signups, confirmed, invited, joined, uninvited)
        select ${toDay("people")}, people.source, 0, count(*), count(people.confirmed_at), ${sumsOf("invitation")}
        from people left join wave_invitations as invitation on invitation.person_id = people.id
        where people.first_signup_at is not null
        group by 1, 2`,
    ]);
  },
};

interface Trigger {
  readonly table: string;
  readonly event: string;
  /** When it has anything to count. */
  readonly when: string;
  readonly statements: readonly string[];
  /** "old" where the row is removed. */
  readonly returns: "new" | "old";
}

/** The first millisecond of the UTC day on which a person signed up. */
const toDay = (person: string) => `${person}.first_signup_at - ${person}.first_signup_at % 86400000`;

/** How an invitation counts: as invited, as joined, and as joined without an invitation; one each. */
function countsAs(invitation: string): readonly string[] {
  const one = (condition: string) => `case when ${condition} then 1 else 0 end`;
  const hasJoined = `${invitation}.state = 'joined'`;
  return [
    one(`${invitation}.campaign_id is not null and ${invitation}.state in ('invited', 'joined')`),
    one(`${invitation}.campaign_id is not null and ${hasJoined}`),
    one(`${invitation}.campaign_id is null and ${hasJoined}`),
  ];
}

/** The same for the invitations of a group: zeros where there are none. */
const sumsOf = (invitation: string) =>
  countsAs(invitation)
    .map((count) => `coalesce(sum(${count}), 0)`)
    .join(", ");

/**
 * The triggers that maintain `funnel_counts`: grouping a million people takes too long for a page. Triggers, because
 * people and their invitations are written by many statements. Row by row: a person who goes takes their invitation
 * along, and only before that both are there.
 */
function listTriggers(shard: string): Trigger[] {
  const columns = ["signups", "confirmed", "invited", "joined", "uninvited"];
  const add = (selection: string) => `
    insert into funnel_counts as counted (day, source, shard, ${columns.join(", ")})
    ${selection}
    on conflict (day, source, shard) do update
    set ${columns.map((name) => `${name} = counted.${name} + excluded.${name}`).join(", ")};`;
  const times = (by: number, counts: readonly string[]) =>
    counts.map((count) => `${by} * (${count})`).join(", ");
  const countPerson = (row: "new" | "old", by: 1 | -1) =>
    add(`select ${toDay(row)}, ${row}.source, ${shard}, ${by},
      ${times(by, [`case when ${row}.confirmed_at is null then 0 else 1 end`])},
      ${times(
        by,
        countsAs("invitation").map((count) => `coalesce(sum(${count}), 0)`),
      )}
      from wave_invitations as invitation
      where invitation.person_id = ${row}.id
      having ${row}.first_signup_at is not null`);
  const countInvitation = (row: "new" | "old", by: 1 | -1) =>
    add(`select ${toDay("people")}, people.source, ${shard}, 0, 0, ${times(by, countsAs(row))}
      from people where people.id = ${row}.person_id and people.first_signup_at is not null`);
  const changed = (...names: string[]) =>
    names.map((name) => `old.${name} is distinct from new.${name}`).join(" or ");
  return [
    {
      table: "people",
      event: "after insert",
      when: "new.first_signup_at is not null",
      statements: [countPerson("new", 1)],
      returns: "new",
    },
    {
      table: "people",
      event: "after update of first_signup_at, source, confirmed_at",
      when: changed("first_signup_at", "source", "confirmed_at"),
      statements: [countPerson("old", -1), countPerson("new", 1)],
      returns: "new",
    },
    {
      table: "people",
      event: "before delete",
      when: "old.first_signup_at is not null",
      statements: [countPerson("old", -1)],
      returns: "old",
    },
    {
      table: "wave_invitations",
      event: "after insert",
      when: "new.state <> 'reserved'",
      statements: [countInvitation("new", 1)],
      returns: "new",
    },
    {
      table: "wave_invitations",
      event: "after update of person_id, campaign_id, state",
      when: changed("person_id", "campaign_id", "state"),
      statements: [countInvitation("old", -1), countInvitation("new", 1)],
      returns: "new",
    },
    {
      table: "wave_invitations",
      event: "after delete",
      when: "old.state <> 'reserved'",
      statements: [countInvitation("old", -1)],
      returns: "old",
    },
  ];
}

const toName = ({ table, event }: Trigger) => `${table}_in_funnel_${event.split(" ")[1]}`;

function toSqlite(trigger: Trigger): string[] {
  const { table, event, when, statements } = trigger;
  return [
    `create trigger ${toName(trigger)} ${event} on ${table} when ${when} begin ${statements.join("")} end`,
  ];
}

function toPostgres(trigger: Trigger): string[] {
  const { table, event, when, statements, returns } = trigger;
  const name = toName(trigger);
  return [
    `create function ${name}() returns trigger language plpgsql as $$
    begin ${statements.join("")} return ${returns}; end $$`,
    `create trigger ${name} ${event} on ${table} for each row when (${when}) execute function ${name}()`,
  ];
}
