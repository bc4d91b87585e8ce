import { sql, type Expression, type SqlBool } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import type { Database, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";

const CHUNK = 500;

/**
 * Works through rows in chunks, a write each, and pauses after each chunk for as long as it took, so that others get the
 * single writer and the process (hardening R36).
 * @param chunkSize small enough to take some milliseconds: on SQLite the process does nothing else meanwhile.
 * @param sweepChunk removes or changes at most `chunkSize` rows, so that they are not found again, and returns how many.
 * @returns the number of all rows.
 */
export async function sweepInChunks(
  database: Pick<Database, "write">,
  chunkSize: number,
  sweepChunk: (trx: Write) => Promise<number>,
): Promise<number> {
  let swept = 0;
  for (;;) {
    const began = performance.now();
    const count = await database.write(sweepChunk);
    swept += count;
    if (count < chunkSize) return swept;
    await pause(performance.now() - began);
  }
}

/**
 * Removes expired rows of a table in chunks. The condition is checked again on deletion, because a row may have
 * been renewed since it was selected.
 * @param key column that identifies a row.
 */
export async function sweepRows(
  database: Pick<Database, "write">,
  { table, key }: { table: keyof Tables; key: string },
  isExpired: Expression<SqlBool>,
): Promise<void> {
  const [from, id] = [sql.table(table), sql.ref(key)];
  await sweepInChunks(database, CHUNK, async (trx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from ${from}
      where ${id} in (select ${id} from ${from} where ${isExpired} limit ${sql.lit(CHUNK)}) and ${isExpired}
    `.execute(trx);
    return Number(numAffectedRows);
  });
}
