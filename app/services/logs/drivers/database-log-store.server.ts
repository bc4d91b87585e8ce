import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { LogHoursTable, LogLinesTable } from "~/db/tables/monitoring";
import { startOfHour } from "~/lib/utc-day";
import {
  getHour,
  type LogCount,
  type LogFilter,
  type LogLine,
  type LogPage,
  type LogPlace,
  type LogStore,
  type StoredLine,
} from "~/services/logs/log-store";
import { searchLog, toStoredLine } from "./log-search.server";

type Retention = Parameters<LogStore["sweep"]>[0];

/** Stores the log in the product's own database; docs/decisions/0030 has the reasons for its design. */
export class DatabaseLogStore implements LogStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(lines: readonly LogLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#database.write(async (trx) => {
      // First statement: it takes the lock for which every other append or deletion waits.
      const { next_id } = await trx
        .updateTable("log_state")
        .set(({ eb }) => ({ next_id: eb("next_id", "+", lines.length) }))
        .returning("next_id")
        .executeTakeFirstOrThrow();
      const first = next_id - lines.length;
      await this.#insert(trx, first, lines);
      await addToHours(trx, first, lines);
    });
  }

  page(filter: LogFilter, place: LogPlace): Promise<LogPage> {
    return searchLog(this.#database, filter, place);
  }

  async around(id: number, each: number): Promise<readonly StoredLine[] | undefined> {
    const rows = await this.#database.read
      .selectFrom("log_lines")
      .selectAll()
      .where("id", ">=", id - each)
      .where("id", "<=", id + each)
      .where("id", ">=", (eb) => eb.selectFrom("log_state").select("first_id"))
      .orderBy("id")
      .execute();
    return rows.some((row) => row.id === id) ? rows.map(toStoredLine) : undefined;
  }

  counts({ from, until }: Pick<LogFilter, "from" | "until">): Promise<LogCount[]> {
    return this.#selectHours({ from, until })
      .select(["level", (eb) => eb.cast<number>(eb.fn.sum("lines"), "bigint").as("lines")])
      .groupBy("level")
      .orderBy("level")
      .execute();
  }

  hours({ level, from, until }: LogFilter): Promise<(LogCount & { hour: number })[]> {
    return this.#selectHours({ from, until })
      .select(["hour", "level", "lines"])
      .where("level", "<>", "")
      .$if(level !== undefined, (query) => query.where("level", "=", level ?? ""))
      .orderBy("hour")
      .orderBy("level")
      .execute();
  }

  async outOfReach(): Promise<number> {
    return 0;
  }

  async deleteAll(record: (trx: Write, lines: number) => Promise<void>): Promise<void> {
    await this.#database.write(async (trx) => {
      await trx
        .updateTable("log_state")
        .set(({ ref }) => ({ first_id: ref("next_id") }))
        .execute();
      const lines = await sumHours(trx, "lines");
      await trx.deleteFrom("log_hours").execute();
      await record(trx, lines);
    });
  }

  sweep(keep: Retention): Promise<boolean> {
    return sweepLogs(this.#database, keep);
  }

  #selectHours({ from, until }: Pick<LogFilter, "from" | "until">) {
    let query = this.#database.read.selectFrom("log_hours");
    // A time within an hour includes the whole hour.
    if (from !== undefined) query = query.where("hour", ">=", startOfHour(from));
    if (until !== undefined) query = query.where("hour", "<", until);
    return query;
  }

  /** Inserts the lines as one JSON parameter: binding each value takes longer than storing them. */
  async #insert(trx: Write, first: number, lines: readonly LogLine[]): Promise<void> {
    const json = JSON.stringify(lines.map(({ at, level, line }) => [at ?? null, level, line]));
    const start = sql.lit(first);
    await (
      this.#database.dialect === "postgres"
        ? sql`
            insert into log_lines (id, at, level, line)
            select ${start} + place - 1, (one ->> 0)::bigint, one ->> 1, one ->> 2
            from json_array_elements(${json}::json) with ordinality as rows (one, place)`
        : sql`
            insert into log_lines (id, at, level, line)
            select ${start} + key, value ->> 0, value ->> 1, value ->> 2 from json_each(${json})`
    ).execute(trx);
  }
}

async function addToHours(trx: Write, first: number, added: readonly LogLine[]): Promise<void> {
  const counted = new Map<string, LogHoursTable>();
  added.forEach((one, index) => {
    const { level, line } = one;
    const hour = getHour(one);
    const key = `${hour} ${level}`;
    const id = first + index;
    const { lines, bytes, least_id } = counted.get(key) ?? { lines: 0, bytes: 0, least_id: id };
    counted.set(key, {
      hour,
      level,
      lines: lines + 1,
      bytes: bytes + Buffer.byteLength(line),
      least_id,
      greatest_id: id,
    });
  });
  await trx
    .insertInto("log_hours")
    .values([...counted.values()])
    .onConflict((conflict) =>
      conflict.columns(["hour", "level"]).doUpdateSet(({ eb, ref }) => ({
        lines: eb(ref("log_hours.lines"), "+", ref("excluded.lines")),
        bytes: eb(ref("log_hours.bytes"), "+", ref("excluded.bytes")),
        greatest_id: ref("excluded.greatest_id"),
      })),
    )
    .execute();
}

/** Lines removed per transaction. */
const BATCH_SIZE = 1000;

type RemovableLine = Pick<LogLinesTable, "at" | "level"> & { bytes: number };

/** Removes one batch: deleted lines, then too old ones or too many. @returns whether there may be more. */
export function sweepLogs(database: Database, keep: Retention, batch = BATCH_SIZE): Promise<boolean> {
  return database.write(async (trx) => {
    const { first_id, swept_id } = await trx
      .selectFrom("log_state")
      .select(["first_id", "swept_id"])
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (swept_id < first_id) {
      await remove(trx, swept_id, { swept_id: Math.min(swept_id + batch, first_id) });
      return true;
    }
    const oldest = await trx
      .selectFrom("log_lines")
      .select(["at", "level", sql<number>`octet_length(line)`.as("bytes")])
      .where("id", ">=", first_id)
      .orderBy("id")
      .limit(batch)
      .execute();
    const bytes = await sumHours(trx, "bytes");
    const count = Math.max(countTooOld(oldest, keep), countTooMany(oldest, keep, bytes));
    const isAll = count === 0 && (await isBeforeTooOld(trx, keep));
    const removable = isAll ? oldest : oldest.slice(0, count);
    if (removable.length === 0) return false;
    await subtractFromHours(trx, removable);
    const to = first_id + removable.length;
    await remove(trx, first_id, { first_id: to, swept_id: to });
    return true;
  });
}

/**
 * Counts the leading lines that are too old. A line without a time, or with one in the future, as from a wrong
 * clock, has no age: it is removed with the next line that has one.
 */
function countTooOld(oldest: readonly RemovableLine[], { since, now }: Retention): number {
  const young = oldest.findIndex(({ at }) => at !== null && at >= since && at <= now);
  const before = young < 0 ? oldest : oldest.slice(0, young);
  return before.findLastIndex(({ at }) => at !== null && at < since) + 1;
}

/**
 * Returns whether a batch in which no line is too old comes before one that is: then no line of the batch has an age,
 * and the next one that has is too old. Answered from the hours, because that line may be millions of lines away.
 */
async function isBeforeTooOld(trx: Write, { since, now }: Retention): Promise<boolean> {
  const first = startOfHour(since);
  const { old, young } = await trx
    .selectFrom("log_hours")
    .select(({ fn }) => [
      fn.min("greatest_id").filterWhere("hour", "<", first).as("old"),
      fn.min("least_id").filterWhere("hour", ">=", first).as("young"),
    ])
    .where("level", "<>", "")
    .where("hour", "<=", now)
    .executeTakeFirstOrThrow();
  return old !== null && (young === null || old < young);
}

function countTooMany(oldest: readonly RemovableLine[], { bytes }: Retention, kept: number): number {
  let rest = kept;
  const enough = oldest.findIndex((line) => {
    if (rest <= bytes) return true;
    rest -= line.bytes;
    return false;
  });
  return enough < 0 ? oldest.length : enough;
}

async function sumHours(trx: Write, column: "lines" | "bytes"): Promise<number> {
  const { sum } = await trx
    .selectFrom("log_hours")
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum(column), sql.lit(0)), "bigint").as("sum"))
    .executeTakeFirstOrThrow();
  return sum;
}

async function subtractFromHours(trx: Write, removable: readonly RemovableLine[]): Promise<void> {
  const groups = Map.groupBy(removable, (line) => `${getHour(line)} ${line.level}`);
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
 * Deletes lines up to `state.swept_id`.
 * @param from id of the first existing line. Without it PostgreSQL scans all removed rows that are not vacuumed
 *   yet: half a second per batch after eight million lines.
 */
async function remove(trx: Write, from: number, state: { swept_id: number; first_id?: number }) {
  await trx.deleteFrom("log_lines").where("id", ">=", from).where("id", "<", state.swept_id).execute();
  await trx.updateTable("log_state").set(state).execute();
}
