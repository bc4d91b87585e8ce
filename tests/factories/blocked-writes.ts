import { sql } from "kysely";
import type { Database } from "~/db/database.server";

/** Counts the connections to a database on PostgreSQL that wait for a row that another one has changed. */
export async function countBlocked(database: Database): Promise<number> {
  const { rows } = await sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database.read);
  return rows.length;
}

/**
 * Waits until a connection to this database waits for a row that another one has changed, or `work` is done. SQLite has
 * one writer: nothing is to wait for.
 */
export async function waitUntilBlocked(database: Database, work?: Promise<unknown>): Promise<void> {
  if (database.dialect !== "postgres") return;
  let isDone = false;
  const done = () => void (isDone = true);
  work?.then(done, done);
  for (let isBlocked = false; !isBlocked && !isDone;) {
    isBlocked = (await countBlocked(database)) > 0;
  }
}

/** A database whose writes start `work` before they are committed, and are committed once it waits for them. */
export const createOvertakenDatabase = (database: Database, work: () => Promise<unknown>): Database => ({
  ...database,
  write: (write) =>
    database.write(async (trx) => {
      const value = await write(trx);
      await waitUntilBlocked(database, work());
      return value;
    }),
});
