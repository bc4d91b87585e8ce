import { sql, type RawBuilder } from "kysely";
import type { Database } from "~/db/database.server";

/** Rows a statement: PostgreSQL cancels a statement after 8 seconds, also on a busy machine. */
const PIECE = 5000;

/**
 * Inserts a row for each number from `first` to `last`, piece by piece.
 * @param insert receives the common table expression `numbers (n)`, to be put after `with recursive`.
 */
export async function inPieces(
  database: Database,
  [first, last]: readonly [first: number, last: number],
  insert: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  for (let from = first; from <= last; from += PIECE) {
    const to = sql.lit(Math.min(last, from + PIECE - 1));
    const numbers = sql`numbers (n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${to})`;
    await database.write((trx) => insert(numbers).execute(trx));
  }
}
