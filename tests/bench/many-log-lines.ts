import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";

const PIECE = 200_000;

/**
 * Adds lines of the last 29 days, about a hundred characters each, written by the database itself and counted
 * as by `append`.
 */
export async function addManyLines(database: Database, count: number, now: number): Promise<void> {
  const numbers = (first: number, last: number) =>
    database.dialect === "postgres"
      ? sql`select n from generate_series(${sql.lit(first)}, ${sql.lit(last)}) as n`
      : sql`with recursive numbers (n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)}) select n from numbers`;
  const text =
    database.dialect === "postgres"
      ? sql`to_char(to_timestamp(at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
      : sql`strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch')`;
  for (let first = 1; first <= count; first += PIECE) {
    const last = Math.min(count, first + PIECE - 1);
    await database.write((trx) =>
      sql`
        insert into log_lines (id, at, level, line)
        select n, at, level, ${text} || ' [' || level || '] request id=01a1fd88-d3e9-7125-a3db-' || (100000000000 + n) || ' path=/line-number-' || n || ', status=200'
        from (select n, ${sql.lit(now - days(29))} + n * ${sql.lit(days(29))} / ${sql.lit(count)} as at,
          case when n % 1000 = 1 then 'ERROR' when n % 100 = 2 then 'WARN' else 'INFO' end as level
          from (${numbers(first, last)}) as numbered) as lines`.execute(trx),
    );
  }
  await database.write(async (trx) => {
    await sql`insert into log_hours (hour, level, lines, bytes, least_id, greatest_id)
      select at - at % 3600000, level, count(*), sum(octet_length(line)), min(id), max(id) from log_lines group by 1, 2`.execute(
      trx,
    );
    await sql`update log_state set next_id = ${sql.lit(count + 1)}`.execute(trx);
  });
  if (database.dialect === "postgres") await sql`analyze log_lines`.execute(database.read);
}
