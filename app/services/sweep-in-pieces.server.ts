import type { Database, Write } from "~/db/database.server";

/**
 * Removes what may be many rows, a piece in each write, so that nothing waits long for the one writer there is.
 * @param remove deletes at most `piece` rows.
 */
export async function sweepInPieces(
  database: Database,
  piece: number,
  remove: (trx: Write) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await database.write(remove);
    if (numDeletedRows < piece) return;
  }
}
