import { sql } from "kysely";
import type { ExpressionBuilder, Selectable, SqlBool, Expression } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { DeliveriesTable, SuppressionsTable, Tables } from "~/db/tables";
import { seconds } from "~/lib/durations";
import type { Ending } from "./ending";

/**
 * The ledger's statements. A claimed row belongs to its owner until its lease runs out; every statement that changes
 * rows is safe beside other instances (hardening R22, section 5).
 */

export const LEASE_MS = seconds(30);

export type Dialect = Database["dialect"];
type Delivery = Selectable<DeliveriesTable>;

const CLAIMED_COLUMNS = [
  "id",
  "send_id",
  "address",
  "email_key",
  "name",
  "message_id",
  "detail",
  "attempts",
  "not_before",
] as const;
export type Claimed = Pick<Delivery, (typeof CLAIMED_COLUMNS)[number]> & {
  /** Why this address gets no mail, as of the claim. */
  readonly suppression: SuppressionsTable["reason"] | null;
};

export interface Holder {
  readonly dialect: Dialect;
  /** `{instance}/{boot id}`: the instance's name is stable, the boot id is new with each start. */
  readonly owner: string;
}

/** Written out, not bound: only so does SQLite use the partial indexes. */
const IS_DUE = sql<boolean>`state in ('pending', 'retrying')`;
const IS_CLAIMED = sql<boolean>`state = 'claimed'`;

/**
 * Bound values that SQLite's planner does not look at. Where it does (a LIMIT, an equality beside an ORDER BY), the
 * statement is planned anew at every run, which took as long as the claim itself.
 */
const unseenText = (value: string) => sql<string>`cast(${value} as text)`;
const unseenNumber = (value: number) => sql<number>`cast(${value} as integer)`;

/** Claims up to `limit` due rows of a send: due retries first, then first tries in the order of signup. */
export function claim(
  trx: Write,
  by: Holder,
  sendId: string,
  limit: number,
  now: number,
): Promise<Claimed[]> {
  return take(trx, by, now, limit, (row) =>
    row.and([row("send_id", "=", unseenText(sendId)), IS_DUE, row("not_before", "<=", now)]),
  );
}

/**
 * Claims rows whose owner is gone: those whose lease ran out, and with `earlierLives` those of this instance's name from
 * before its last start, whose lease need not be waited for.
 * @param held rows the owner has in hand, whatever their lease says.
 */
export function takeOver(
  trx: Write,
  by: Holder,
  {
    held,
    earlierLives,
    limit,
    now,
  }: { held: readonly string[]; earlierLives: boolean; limit: number; now: number },
): Promise<Claimed[]> {
  const name = by.owner.slice(0, by.owner.lastIndexOf("/") + 1);
  const isEarlierLife = sql<boolean>`(substr(lease_owner, 1, ${name.length}) = ${name} and lease_owner != ${by.owner})`;
  return take(trx, by, now, limit, (row) =>
    row.and([
      IS_CLAIMED,
      ...(held.length > 0 ? [row("id", "not in", held)] : []),
      earlierLives ? row.or([row("lease_until", "<", now), isEarlierLife]) : row("lease_until", "<", now),
    ]),
  );
}

async function take(
  trx: Write,
  { dialect, owner }: Holder,
  now: number,
  limit: number,
  which: (row: ExpressionBuilder<Tables, "deliveries">) => Expression<SqlBool>,
): Promise<Claimed[]> {
  const rows = await trx
    // Materialized, because PostgreSQL may otherwise run the subquery, and so its limit, more than once.
    .with(
      (cte) => cte("due").materialized(),
      (db) =>
        db
          .selectFrom("deliveries")
          .select("id")
          .where(which)
          .orderBy("not_before", "desc")
          .orderBy("id")
          .limit(unseenNumber(limit))
          .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("deliveries")
    .set({ state: "claimed", lease_owner: owner, lease_until: now + LEASE_MS, updated_at: now })
    .where("id", "in", (db) => db.selectFrom("due").select("due.id"))
    .returning(CLAIMED_COLUMNS)
    .returning((row) =>
      row
        .selectFrom("suppressions")
        .select("reason")
        .whereRef("suppressions.email_key", "=", "deliveries.email_key")
        .as("suppression"),
    )
    .execute();
  return rows.sort((a, b) => b.not_before - a.not_before || (a.id < b.id ? -1 : 1));
}

/** Prolongs the lease of rows the owner still holds. */
export async function renewLeases(
  trx: Write,
  owner: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await trx
    .updateTable("deliveries")
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
  owner: string,
  group: readonly { readonly row: Pick<Claimed, "id">; readonly ending: Ending }[],
  now: number,
): Promise<void> {
  if (group.length === 0) return;
  const values = group.map(
    ({ row, ending }) =>
      sql`(${row.id}, ${ending.state}, ${ending.detail}, ${ending.attempts}, ${ending.notBefore})`,
  );
  // column1 and so on are the names both databases give to the columns of VALUES.
  await sql`
    update deliveries
    set state = ended.column2, detail = ended.column3, attempts = cast(ended.column4 as integer),
      not_before = cast(ended.column5 as bigint), lease_owner = '', lease_until = 0, updated_at = ${now}
    from (values ${sql.join(values)}) as ended
    where deliveries.id = ended.column1
      and ((deliveries.state = 'claimed' and deliveries.lease_owner = ${owner}) or ended.column2 = 'sent')
  `.execute(trx);
}
