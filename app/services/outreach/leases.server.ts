import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { SuppressionsTable, Tables } from "~/db/tables";
import { seconds } from "~/lib/durations";
import type { Ending } from "./ending";

/**
 * The statements of a queue of mails. A claimed row belongs to its owner until its lease runs out; every statement that
 * changes rows is safe beside other instances (hardening R22, section 5).
 */

export const LEASE_MS = seconds(30);

export type Dialect = Database["dialect"];
/** Tables whose rows are mails: they have the columns below, and a partial index each for what is due and what is claimed. */
export type Queue = "deliveries" | "confirmations";

export interface Holder {
  readonly dialect: Dialect;
  /** `{instance}/{boot id}`: the instance's name is stable, the boot id is new with each start. */
  readonly owner: string;
}

/** A row as it is claimed. */
export type Taken<Row, Column extends keyof Selectable<Row>> = Pick<Selectable<Row>, Column> & {
  /** Why this address gets no mail, as of the claim. */
  readonly suppression: SuppressionsTable["reason"] | null;
};

/** Written out, not bound: only so does SQLite use the partial indexes. */
export const IS_DUE = sql<boolean>`state in ('pending', 'retrying')`;
const IS_CLAIMED = sql<boolean>`state = 'claimed'`;

/**
 * Bound values that SQLite's planner does not look at. Where it does (a LIMIT, an equality beside an ORDER BY), the
 * statement is planned anew at every run, which took as long as the claim itself.
 */
export const unseenText = (value: string) => sql<string>`cast(${value} as text)`;
const unseenNumber = (value: number) => sql<number>`cast(${value} as integer)`;

/** Claims up to `limit` rows: due retries first, then first tries in the order of their ids. */
export async function take<Q extends Queue, Column extends keyof Selectable<Tables[Q]> & string>(
  trx: Write,
  { dialect, owner }: Holder,
  from: { readonly queue: Q; readonly columns: readonly Column[] },
  { which, limit, now }: { which: RawBuilder<boolean>; limit: number; now: number },
): Promise<Taken<Tables[Q], Column>[]> {
  // Every queue has the columns that this statement names itself, so that it may be typed as if there were one only.
  const queue = from.queue as "deliveries";
  const columns = from.columns as readonly string[] as readonly ("id" | "not_before")[];
  const rows = await trx
    // Materialized, because PostgreSQL may otherwise run the subquery, and so its limit, more than once.
    .with(
      (cte) => cte("due").materialized(),
      (db) =>
        db
          .selectFrom(queue)
          .select("id")
          .where(which)
          .orderBy("not_before", "desc")
          .orderBy("id")
          .limit(unseenNumber(limit))
          .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked()),
    )
    .updateTable(queue)
    .set({ state: "claimed", lease_owner: owner, lease_until: now + LEASE_MS, updated_at: now })
    .where("id", "in", (db) => db.selectFrom("due").select("due.id"))
    .returning(columns)
    .returning((row) =>
      row
        .selectFrom("suppressions")
        .select("reason")
        .whereRef("suppressions.email_key", "=", `${queue}.email_key`)
        .as("suppression"),
    )
    .execute();
  rows.sort((a, b) => b.not_before - a.not_before || (a.id < b.id ? -1 : 1));
  return rows as unknown as Taken<Tables[Q], Column>[];
}

/**
 * Which claimed rows have lost their owner: those whose lease ran out, and with `earlierLives` those of this instance's
 * name from before its last start, whose lease need not be waited for.
 * @param held rows the owner has in hand, whatever their lease says.
 */
export function orphaned(
  { owner }: Holder,
  { held, earlierLives, now }: { held: readonly string[]; earlierLives: boolean; now: number },
): RawBuilder<boolean> {
  const name = owner.slice(0, owner.lastIndexOf("/") + 1);
  const isEarlierLife = sql`(substr(lease_owner, 1, ${name.length}) = ${name} and lease_owner != ${owner})`;
  const isLeft = earlierLives ? sql`(lease_until < ${now} or ${isEarlierLife})` : sql`lease_until < ${now}`;
  const isInHand = held.length > 0 ? sql`id in (${sql.join(held)})` : sql`1 = 0`;
  return sql<boolean>`${IS_CLAIMED} and ${isLeft} and not (${isInHand})`;
}

/** Prolongs the lease of rows the owner still holds. */
export async function renewLeases(
  trx: Write,
  queue: Queue,
  owner: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await trx
    .updateTable(queue as "deliveries")
    .set({ lease_until: now + LEASE_MS })
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}

/**
 * Writes how rows ended, many in one statement. A row that was taken from the owner meanwhile is left to its new one,
 * except that a mail that was accepted counts as sent whatever became of its row.
 */
export async function recordEndings(
  trx: Write,
  queue: Queue,
  owner: string,
  group: readonly { readonly row: { readonly id: string }; readonly ending: Ending }[],
  now: number,
): Promise<void> {
  if (group.length === 0) return;
  const values = group.map(
    ({ row, ending }) =>
      sql`(${row.id}, ${ending.state}, ${ending.detail}, ${ending.attempts}, ${ending.notBefore})`,
  );
  // column1 and so on are the names both databases give to the columns of VALUES.
  await sql`
    update ${sql.table(queue)}
    set state = ended.column2, detail = ended.column3, attempts = cast(ended.column4 as integer),
      not_before = cast(ended.column5 as bigint), lease_owner = '', lease_until = 0, updated_at = ${now}
    from (values ${sql.join(values)}) as ended
    where id = ended.column1
      and ((state = 'claimed' and lease_owner = ${owner}) or ended.column2 = 'sent')
  `.execute(trx);
}
