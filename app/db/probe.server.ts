import type { Write } from "./database.server";

const KEY = "probe";

/** A write that changes one row of the limits' table: an empty transaction would succeed on a full disk (R6, R31). */
export async function writeProbe(trx: Write): Promise<void> {
  const row = { key: KEY, count: 0, resets_at: Date.now() };
  await trx
    .insertInto("attempts")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ resets_at: row.resets_at }))
    .execute();
}
