import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { hours } from "~/lib/durations";
import type { LogStore } from "../log-store";

/** Removed in one transaction. */
const PIECE = 1000;

interface Going {
  readonly at: number | null;
  readonly level: string;
  readonly bytes: number;
}

/**
 * Removes one piece: first of what was deleted, then of the oldest lines, while they are too old or there are too many.
 * @returns whether there may be more to remove.
 */
export function sweepLogs(
  database: Database,
  keep: Parameters<LogStore["sweep"]>[0],
  piece = PIECE,
): Promise<boolean> {
  return database.write(async (trx) => {
    const { first_id, swept_id } = await trx
      .selectFrom("log_state")
      .select(["first_id", "swept_id"])
      .$if(database.dialect === "postgres", (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    if (swept_id < first_id) {
      await remove(trx, swept_id, { swept_id: Math.min(swept_id + piece, first_id) });
      return true;
    }
    const oldest = await trx
      .selectFrom("log_lines")
      .select(["at", "level", sql<number>`octet_length(line)`.as("bytes")])
      .where("id", ">=", first_id)
      .orderBy("id")
      .limit(piece)
      .execute();
    const going = oldest.slice(0, Math.max(tooOld(oldest, keep), tooMany(oldest, keep, await bytesIn(trx))));
    if (going.length === 0) return false;
    await countOut(trx, going);
    const to = first_id + going.length;
    await remove(trx, first_id, { first_id: to, swept_id: to });
    return true;
  });
}

/**
 * A line without a time, or with one that lies in the future, as from a clock that was wrong, has no age: it goes with the
 * next one that has, and is no stone in the way.
 */
function tooOld(oldest: readonly Going[], { since, now }: { since: number; now: number }): number {
  const young = oldest.findIndex(({ at }) => at !== null && at >= since && at <= now);
  const before = young < 0 ? oldest : oldest.slice(0, young);
  return before.findLastIndex(({ at }) => at !== null && at < since) + 1;
}

function tooMany(oldest: readonly Going[], { bytes }: { bytes: number }, kept: number): number {
  let rest = kept;
  const enough = oldest.findIndex((line) => {
    if (rest <= bytes) return true;
    rest -= line.bytes;
    return false;
  });
  return enough < 0 ? oldest.length : enough;
}

async function bytesIn(trx: Write): Promise<number> {
  const { bytes } = await trx
    .selectFrom("log_hours")
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum("bytes"), sql.lit(0)), "bigint").as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Takes lines out of the numbers of their hours. */
async function countOut(trx: Write, going: readonly Going[]): Promise<void> {
  const groups = Map.groupBy(going, ({ at, level }) => `${at === null ? 0 : at - (at % hours(1))} ${level}`);
  for (const [key, lines] of groups) {
    const [hour = "", level = ""] = key.split(" ");
    const bytes = lines.reduce((sum, line) => sum + line.bytes, 0);
    await trx
      .updateTable("log_hours")
      .set(({ eb }) => ({ lines: eb("lines", "-", lines.length), bytes: eb("bytes", "-", bytes) }))
      .where("hour", "=", Number(hour))
      .where("level", "=", level)
      .execute();
  }
  await trx.deleteFrom("log_hours").where("lines", "<=", 0).execute();
}

/**
 * @param from the first that is still there. Without it PostgreSQL walks over all it removed before and did not clear away yet:
 *   half a second for a piece after eight million lines.
 */
async function remove(
  trx: Write,
  from: number,
  state: { swept_id: number; first_id?: number },
): Promise<void> {
  await trx.deleteFrom("log_lines").where("id", ">=", from).where("id", "<", state.swept_id).execute();
  await trx.updateTable("log_state").set(state).execute();
}
