import { PostgresAdapter, sql } from "kysely";
import type { Kysely, RawBuilder } from "kysely";
import type { Migration } from "kysely/migration";

/** What a row of the ledger counts as: why it was skipped tells the skipped apart. */
const countsAs = (row: string) =>
  sql.raw(`${row}.send_id, ${row}.state, case ${row}.state when 'skipped' then ${row}.detail else '' end`);

/**
 * How many rows of each send are in each state, kept by the database itself: to count a million took 180 ms on SQLite, which
 * answers nobody else meanwhile, at every look at a send. Kept by triggers because the states change in a dozen statements.
 */
export const deliveryCounts: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await db.schema
      .createTable("delivery_counts")
      .addColumn("send_id", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      // Of one row all instances would wait for each other, to the end of each one's transaction.
      .addColumn("shard", "integer", (column) => column.notNull())
      .addColumn("count", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("delivery_counts_key", ["send_id", "state", "reason", "shard"])
      .execute();
    await sql`
      insert into delivery_counts (send_id, state, reason, shard, count)
      select ${countsAs("deliveries")}, 0, count(*) from deliveries group by 1, 2, 3
    `.execute(db);
    for (const statement of isPostgres ? onPostgres() : onSqlite()) await statement.execute(db);
  },
};

function onSqlite(): RawBuilder<unknown>[] {
  const add = (row: "new" | "old", by: 1 | -1) => sql`
    insert into delivery_counts (send_id, state, reason, shard, count)
    select ${countsAs(row)}, 0, ${sql.lit(by)} where true
    on conflict (send_id, state, reason, shard) do update set count = count + excluded.count;
  `;
  return [
    sql`create trigger deliveries_counted_insert after insert on deliveries begin ${add("new", 1)} end`,
    sql`create trigger deliveries_counted_delete after delete on deliveries begin ${add("old", -1)} end`,
    sql`
      create trigger deliveries_counted_update after update of state, detail on deliveries
      when old.state <> new.state or (new.state = 'skipped' and old.detail <> new.detail)
      begin ${add("old", -1)} ${add("new", 1)} end
    `,
  ];
}

/** Once for each statement, however many rows it changes. */
function onPostgres(): RawBuilder<unknown>[] {
  const added = sql`select ${countsAs("added")}, 1 from added`;
  const removed = sql`select ${countsAs("removed")}, -1 from removed`;
  const [newRows, oldRows] = [sql`new table as added`, sql`old table as removed`];
  return [
    ...trigger("insert", newRows, added),
    ...trigger("delete", oldRows, removed),
    ...trigger("update", sql`${newRows} ${oldRows}`, sql`${added} union all ${removed}`),
  ];
}

function trigger(
  event: "insert" | "delete" | "update",
  rows: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const name = sql.ref(`deliveries_counted_${event}`);
  return [
    sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into delivery_counts as counted (send_id, state, reason, shard, count)
        select send_id, state, reason, pg_backend_pid() % 16, sum(change)
        from (${changes}) as changes (send_id, state, reason, change)
        group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
        on conflict (send_id, state, reason, shard) do update set count = counted.count + excluded.count;
        return null;
      end $$
    `,
    sql`
      create trigger ${name} after ${sql.raw(event)} on deliveries referencing ${rows}
      for each statement execute function ${name}()
    `,
  ];
}
