import { sql } from "kysely";
import type { Expression, SqlBool } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import type { Database, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";

const CHUNK = 500;

/**
 * Removes what may be many rows, a piece in each write, and rests after each for as long as it took: whoever else wants the
 * one writer there is, or the process, gets it (hardening R36).
 * @param piece so few that removing them takes some milliseconds: on SQLite the process does nothing else meanwhile.
 * @param remove deletes at most `piece` rows.
 * @returns how many were removed.
 */
export async function sweepInPieces(
  database: Pick<Database, "write">,
  piece: number,
  remove: (trx: Write) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const began = performance.now();
    const { numDeletedRows } = await database.write(remove);
    removed += Number(numDeletedRows);
    if (numDeletedRows < piece) return removed;
    await pause(performance.now() - began);
  }
}

/**
 * Removes the rows of a table that are over, in pieces. Each is asked again as it is removed: it may have been renewed since it
 * was found.
 * @param key a column by which rows are told apart.
 */
export async function sweepRows(
  database: Pick<Database, "write">,
  { table, key }: { table: keyof Tables; key: string },
  isOver: Expression<SqlBool>,
): Promise<void> {
  const [from, id] = [sql.table(table), sql.ref(key)];
  await sweepInPieces(database, CHUNK, async (trx) => {
    const { numAffectedRows: numDeletedRows = 0n } = await sql`
      delete from ${from}
      where ${id} in (select ${id} from ${from} where ${isOver} limit ${sql.lit(CHUNK)}) and ${isOver}
    `.execute(trx);
    return { numDeletedRows };
  });
}
