import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import type { Tables } from "~/db/tables";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import { seconds } from "~/lib/durations";

/**
 * The statements of a queue of mails or push messages. A claimed row belongs to its owner until its lease runs out; every statement that
 * changes rows is safe beside other instances (hardening R22, section 5).
 */

const LEASE_MS = seconds(30);

export type Dialect = Database["dialect"];
/** Tables whose rows are mails. */
export type MailQueue = "deliveries" | "confirmations";
/** Tables with the columns below, and a partial index each for what is due and what is claimed. */
export type Queue = MailQueue | "pushes";

export interface Holder {
  readonly dialect: Dialect;
  /** `{instance}/{boot id}`: the instance's name is stable, the boot id is new with each start. */
  readonly owner: string;
  /** By which leases begin and run out. */
  readonly leaseTime: SharedTime;
}

/** A row as it is claimed. */
export type Taken<Row, Column extends keyof Selectable<Row>> = Pick<Selectable<Row>, Column>;

/** A mail as it is claimed. */
export type TakenMail<Row, Column extends keyof Selectable<Row>> = Taken<Row, Column> & {
  /** Why this address gets no mail, as of the claim. */
  readonly suppression: SuppressionsTable["reason"] | null;
};

/** How a row leaves `claimed`. */
export interface RowEnding {
  readonly state: string;
  readonly detail: string;
  readonly attempts: number;
  readonly notBefore: number;
}

interface Which {
  readonly which: RawBuilder<boolean>;
  readonly limit: number;
  readonly now: number;
}

/** Written out, not bound: only so does SQLite use the partial indexes. */
export const IS_DUE = sql<boolean>`state in ('pending', 'retrying')`;
const IS_CLAIMED = sql<boolean>`state = 'claimed'`;

/**
 * Bound values that SQLite's planner does not look at. Where it does (a LIMIT, an equality beside an ORDER BY), the
 * statement is planned anew at every run, which took as long as the claim itself.
 */
export const unseenText = (value: string) => sql<string>`cast(${value} as text)`;
const unseenNumber = (value: number) => sql<number>`cast(${value} as integer)`;

/** Whether retries or first tries are claimed first; the index of what is due has the same order. */
interface ClaimOrder {
  readonly first?: "retries" | "first-tries";
}

/** Claims up to `limit` rows: due retries first unless `first` says otherwise, first tries in the order of their ids. */
export async function take<Q extends Queue, Column extends keyof Selectable<Tables[Q]> & string>(
  trx: Write,
  by: Holder,
  from: ClaimOrder & { readonly queue: Q; readonly columns: readonly Column[] },
  which: Which,
): Promise<Taken<Tables[Q], Column>[]> {
  const rows = await taking(trx, by, from, which).execute();
  return inOrder(rows, from) as unknown as Taken<Tables[Q], Column>[];
}

/** The same of mails, each with what keeps it back. */
export async function takeMails<Q extends MailQueue, Column extends keyof Selectable<Tables[Q]> & string>(
  trx: Write,
  by: Holder,
  from: ClaimOrder & { readonly queue: Q; readonly columns: readonly Column[] },
  which: Which,
): Promise<TakenMail<Tables[Q], Column>[]> {
  const rows = await taking(trx, by, from, which)
    .returning((row) =>
      row
        .selectFrom("suppressions")
        .select("reason")
        .whereRef("suppressions.email_key", "=", `${from.queue as "deliveries"}.email_key`)
        .as("suppression"),
    )
    .execute();
  return inOrder(rows, from) as unknown as TakenMail<Tables[Q], Column>[];
}

function taking(
  trx: Write,
  { dialect, owner, leaseTime }: Holder,
  from: ClaimOrder & { readonly queue: Queue; readonly columns: readonly string[] },
  { which, limit, now }: Which,
) {
  // Every queue has the columns that this statement names itself, so that it may be typed as if there were one only.
  const queue = from.queue as "deliveries";
  const columns = from.columns as readonly ("id" | "not_before")[];
  return (
    trx
      // Materialized, because PostgreSQL may otherwise run the subquery, and so its limit, more than once.
      .with(
        (cte) => cte("due").materialized(),
        (db) =>
          db
            .selectFrom(queue)
            .select("id")
            .where(which)
            .orderBy("not_before", from.first === "first-tries" ? "asc" : "desc")
            .orderBy("id")
            .limit(unseenNumber(limit))
            .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked()),
      )
      .updateTable(queue)
      .set({ state: "claimed", lease_owner: owner, lease_until: leaseFrom(leaseTime), updated_at: now })
      .where("id", "in", (db) => db.selectFrom("due").select("due.id"))
      .returning(columns)
  );
}

const leaseFrom = (time: SharedTime) => sql<number>`${time.now()} + ${LEASE_MS}`;

/** RETURNING has an order of its own. */
function inOrder<Row extends { id: string; not_before: number }>(rows: Row[], { first }: ClaimOrder): Row[] {
  const sign = first === "first-tries" ? 1 : -1;
  return rows.sort((a, b) => sign * (a.not_before - b.not_before) || (a.id < b.id ? -1 : 1));
}

/**
 * Which claimed rows have lost their owner: those whose lease ran out, and with `earlierLives` those of this instance's
 * name from before its last start, whose lease need not be waited for.
 * @param held rows the owner has in hand, whatever their lease says.
 */
export function orphaned(
  { owner, leaseTime }: Holder,
  { held, earlierLives }: { held: readonly string[]; earlierLives: boolean },
): RawBuilder<boolean> {
  const name = owner.slice(0, owner.lastIndexOf("/") + 1);
  const isEarlierLife = sql`(substr(lease_owner, 1, ${name.length}) = ${name} and lease_owner != ${owner})`;
  const isOver = isLeaseOver(leaseTime, LEASE_MS);
  const isLeft = earlierLives ? sql`(${isOver} or ${isEarlierLife})` : isOver;
  const isInHand = held.length > 0 ? sql`id in (${sql.join(held)})` : sql`1 = 0`;
  return sql<boolean>`${IS_CLAIMED} and ${isLeft} and not (${isInHand})`;
}

/** Of a row with `lease_until`. @param lasts how long a lease is, in milliseconds. */
export function isLeaseOver(time: SharedTime, lasts: number): RawBuilder<boolean> {
  const hasRunOut = sql<boolean>`lease_until < ${time.now()}`;
  return time.beginsAnew ? sql`(${hasRunOut} or lease_until > ${time.now()} + ${lasts})` : hasRunOut;
}

/** Prolongs the lease of rows the owner still holds. */
export async function renewLeases(
  trx: Write,
  queue: Queue,
  { owner, leaseTime }: Holder,
  ids: readonly string[],
): Promise<void> {
  await trx
    .updateTable(queue as "deliveries")
    .set({ lease_until: leaseFrom(leaseTime) })
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}

/**
 * Writes how rows ended, many in one statement. A row that was taken from the owner meanwhile is left to its new one,
 * except that what was accepted counts as that whatever became of its row.
 */
export async function recordEndings(
  trx: Write,
  queue: Queue,
  owner: string,
  group: readonly { readonly row: { readonly id: string }; readonly ending: RowEnding }[],
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
      and ((state = 'claimed' and lease_owner = ${owner}) or ended.column2 in ('sent', 'accepted'))
  `.execute(trx);
}

/** Notes, before their endings are recorded, that mails are sent again because of a crash. */
export async function markResent(
  trx: Write,
  queue: MailQueue,
  owner: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable(queue as "deliveries")
    .set({ resent_after_crash: 1 })
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}
