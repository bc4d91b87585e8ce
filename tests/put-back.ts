import SqliteFile from "better-sqlite3";
import { setTimeout as pause } from "node:timers/promises";
import { seconds } from "~/lib/durations";
import { databaseFile } from "./server/visitors";
import type { ServerProcess } from "./server-process";

const REST_MS = seconds(10);

/** Copies the SQLite database of a product just after its start, for `putTablesBack`. @returns the copy's file. */
export function copyTables(product: ServerProcess): string {
  const copy = `${databaseFile(product)}-at-start`;
  const file = new SqliteFile(databaseFile(product), { timeout: seconds(5) });
  file.prepare("vacuum into ?").run(copy);
  file.close();
  return copy;
}

/**
 * Restores every table to its content after the start, in one transaction, once no email and no push message is
 * in flight: their rows would be missing when they end.
 */
export async function putTablesBack(product: ServerProcess, copy: string): Promise<void> {
  const file = new SqliteFile(databaseFile(product), { timeout: seconds(5) });
  try {
    file.pragma("foreign_keys = OFF");
    // Skips the sync: the server's writes wait for this one, and the rows need not survive a power cut.
    file.pragma("synchronous = OFF");
    file.prepare("attach ? as start").run(copy);
    // Triggers keep the search indexes in step with their tables; they take no other writes.
    const tables = file
      .prepare<[], { name: string }>(
        "select name from start.sqlite_master where type = 'table' and name not like 'search!_index%' escape '!' and name not like 'submission!_index%' escape '!' and name not like 'people!_index%' escape '!'",
      )
      .all()
      .map(({ name }) => `"${name}"`);
    const inFlight = ["deliveries", "transactional_emails", "pushes"]
      .map((queue) => `select 1 from main.${queue} where state = 'claimed'`)
      .join(" union all ");
    const deadline = Date.now() + REST_MS;
    for (;;) {
      file.exec("begin immediate");
      if (!file.prepare(inFlight).get()) break;
      file.exec("rollback");
      if (Date.now() > deadline) throw new Error("The server still sends");
      await pause(20);
    }
    // Triggers on deliveries update the counts on delete, so the counts are emptied a second time.
    for (const table of [...tables, ...tables]) file.exec(`delete from main.${table}`);
    for (const table of tables) file.exec(`insert into main.${table} select * from start.${table}`);
    file.exec("commit");
  } finally {
    file.close();
  }
}
