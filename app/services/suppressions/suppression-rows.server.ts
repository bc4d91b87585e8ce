import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Database } from "~/db/database.server";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import { isUuid } from "~/lib/uuid";
import type { SuppressionReason } from "./suppression-reasons";

/** Which of the addresses that get no mail; without any bound, all of them. */
export interface SuppressionFilter {
  readonly reason?: SuppressionReason | undefined;
  /** What the address begins with, in lower case. */
  readonly prefix?: string | undefined;
}

export type SuppressedAddress = Pick<
  Selectable<SuppressionsTable>,
  "id" | "address" | "reason" | "detail"
> & {
  readonly optedOut: boolean;
  readonly at: number;
  /** The send its mail was of, while that is there. */
  readonly send: { readonly id: string; readonly title: string } | undefined;
};

const MANY = 2000;
/** Comes after every address that begins like it, byte by byte. */
const LAST = "\u{10FFFF}";

/** Newest first, before the given id (keyset). As quick with a hundred thousand addresses as with ten. */
export async function newestSuppressions(
  database: Pick<Database, "read" | "dialect">,
  filter: SuppressionFilter,
  page: { before?: string | undefined; limit: number },
): Promise<SuppressedAddress[]> {
  const ids = await idsOf(database, filter, page);
  if (ids.length === 0) return [];
  return suppressionsWith(database, ids);
}

/** Those of these ids that are there, newest first. */
export async function suppressionsWith(
  { read }: Pick<Database, "read">,
  ids: readonly string[],
): Promise<SuppressedAddress[]> {
  const known = [...new Set(ids.filter(isUuid))];
  if (known.length === 0) return [];
  const rows = await read
    .selectFrom("suppressions")
    .leftJoin("deliveries", "deliveries.id", "suppressions.delivery_id")
    .leftJoin("sends", "sends.id", "deliveries.send_id")
    .select(["suppressions.id", "suppressions.address", "suppressions.reason", "suppressions.detail"])
    .select(["opted_out", "suppressions.created_at as at", "sends.id as sendId", "sends.title as sendTitle"])
    .where("suppressions.id", "in", known)
    .orderBy("suppressions.id", "desc")
    .execute();
  return rows.map(({ opted_out, sendId, sendTitle, ...row }) => ({
    ...row,
    optedOut: opted_out === 1,
    send: sendId === null ? undefined : { id: sendId, title: sendTitle ?? "" },
  }));
}

async function idsOf(
  database: Pick<Database, "read" | "dialect">,
  { reason, prefix }: SuppressionFilter,
  { before = "", limit }: { before?: string | undefined; limit: number },
): Promise<string[]> {
  const cursor = isUuid(before) ? before : undefined;
  const few = prefix === undefined ? undefined : await fewBeginningWith(database, prefix);
  if (few) {
    return few
      .filter((row) => (reason ?? row.reason) === row.reason && (cursor === undefined || row.id < cursor))
      .map(({ id }) => id)
      .sort()
      .reverse()
      .slice(0, limit);
  }
  let query = database.read.selectFrom("suppressions").select("id");
  if (reason !== undefined) query = query.where("reason", "=", reason);
  if (cursor !== undefined) query = query.where("id", "<", cursor);
  // Of many that match, the newest are soon met. Said so that no database takes the index of addresses for it.
  if (prefix !== undefined) {
    query = query.where(
      sql<string>`substr(email_key, 1, cast(${[...prefix].length} as integer))`,
      "=",
      prefix,
    );
  }
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** All whose address begins so, unless they are too many to be sorted by time. */
async function fewBeginningWith({ read, dialect }: Pick<Database, "read" | "dialect">, prefix: string) {
  // The order of bytes, as in the index `suppressions_search`.
  const address = dialect === "postgres" ? sql<string>`email_key collate "C"` : sql<string>`email_key`;
  const rows = await read
    .selectFrom("suppressions")
    .select(["id", "reason"])
    .where(address, ">=", prefix)
    .where(address, "<", prefix + LAST)
    .limit(MANY)
    .execute();
  return rows.length < MANY ? rows : undefined;
}
