import { setTimeout as pause } from "node:timers/promises";
import type { Database, Write } from "~/db/database.server";

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
