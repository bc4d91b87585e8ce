import SqliteFile from "better-sqlite3";
import { setTimeout as pause } from "node:timers/promises";
import { seconds } from "~/lib/durations";
import { databaseFile } from "./server/visitors";
import type { ServerProcess } from "./server-process";

const REST_MS = seconds(10);

/** Copies what a product on SQLite holds just after its start, for `putTablesBack`. @returns the copy's file, beside the database. */
export function copyTables(product: ServerProcess): string {
  const copy = `${databaseFile(product)}-at-start`;
  const file = new SqliteFile(databaseFile(product), { timeout: seconds(5) });
  file.prepare("vacuum into ?").run(copy);
  file.close();
  return copy;
}

/**
 * Gives every table of a running product what it held after the start, in one transaction, once no mail and no push message is in
 * flight. Their rows would be gone when they end, and the mail server would get a mail of the test before.
 */
export async function putTablesBack(product: ServerProcess, copy: string): Promise<void> {
  const file = new SqliteFile(databaseFile(product), { timeout: seconds(5) });
  try {
    file.pragma("foreign_keys = OFF");
    // The server's own writes wait for this one, and nobody needs these rows after a power cut.
    file.pragma("synchronous = OFF");
    file.prepare("attach ? as start").run(copy);
    // The index of the search follows its table by triggers, and takes no other writes.
    const tables = file
      .prepare<[], { name: string }>(
        "select name from start.sqlite_master where type = 'table' and name not like 'search!_index%' escape '!'",
      )
      .all()
      .map(({ name }) => `"${name}"`);
    const inFlight = ["deliveries", "confirmations", "pushes"]
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
    // The ledger's triggers count what is deleted from it, so that the counts are emptied a second time.
    for (const table of [...tables, ...tables]) file.exec(`delete from main.${table}`);
    for (const table of tables) file.exec(`insert into main.${table} select * from start.${table}`);
    file.exec("commit");
  } finally {
    file.close();
  }
}
