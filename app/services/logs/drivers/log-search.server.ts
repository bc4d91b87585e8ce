import { sql } from "kysely";
import type { Database, Read } from "~/db/database.server";
import type { LogLinesTable } from "~/db/tables/monitoring";
import { hours } from "~/lib/durations";
import { likeLiteral } from "~/lib/like-literal";
import { toSearchTerms, type LogFilter, type LogPage, type LogPlace, type StoredLine } from "../log-store";

/** Time limit per page: PostgreSQL takes five times as long for the same lines. */
const TIME_LIMIT_MS = 200;
/** Consecutive lines per query, between which other long queries run, and per page: 20,000 take some 3 ms. */
const DENSE = { batch: 20_000, maxSearched: 300_000 };
/** The same for a rare level, whose lines are scattered on the disk: 2,000 take some 10 ms. */
const SPARSE = { batch: 2_000, maxSearched: 20_000 };
const SPARSE_BELOW = 1 / 20;
/** Total letters of the terms up to which a whole batch is searched. */
const BATCH_LETTERS = 8;

/** Range of ids: `from` inclusive, `to` exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a page of the log. With a level alone an index finds the lines. Otherwise lines are scanned in
 * batches, in the requested order, until the page is full, `maxSearched` lines were read or the time is over.
 * @param own limits for tests, which have few lines.
 */
export async function searchLog(
  database: Database,
  filter: LogFilter,
  { past, limit, order = "newest", ...place }: LogPlace,
  own: { batch?: number; ms?: number } = {},
): Promise<LogPage> {
  const began = performance.now();
  const span = await getSpan(database, filter, past, order);
  const terms = toSearchTerms(filter.search ?? "");
  const isTimed = filter.from !== undefined || filter.until !== undefined;
  if (terms.length === 0 && !isTimed && filter.level !== undefined) {
    const rows = await listLevel(database.read, filter.level, span, { order, limit: limit + 1 });
    return toPage(rows.map(toStoredLine), limit, 0);
  }
  const isSparse = filter.level !== undefined && (await isRare(database, filter.level));
  const budget = isSparse ? SPARSE : DENSE;
  const maxSearched = place.maxSearched ?? budget.maxSearched;
  const batch = Math.min(own.batch ?? getBatchSize(budget.batch, terms), maxSearched);
  const found: StoredLine[] = [];
  let rest = span;
  let scanned = 0;
  while (rest.from < rest.to) {
    const end = await getBatchEnd(database, isSparse ? filter.level : undefined, rest, order, batch);
    const older = { ...rest, to: end };
    const newer = { ...rest, from: end };
    const [part, left] = order === "newest" ? [newer, older] : [older, newer];
    const rows = await findMatches(database, filter, terms, part, {
      order,
      byLevel: isSparse,
      limit: limit + 1 - found.length,
    });
    found.push(...rows);
    if (found.length > limit) break;
    scanned += isSparse ? batch : part.to - part.from;
    rest = left;
    const isOver = scanned >= maxSearched || performance.now() - began >= (own.ms ?? TIME_LIMIT_MS);
    if (isOver && rest.from < rest.to) {
      return { lines: found, next: order === "newest" ? end : end - 1, scanned };
    }
  }
  return toPage(found, limit, scanned);
}

/** Lists the lines of one level, to which an index leads. */
function listLevel(
  read: Read,
  level: string,
  { from, to }: Span,
  { order, limit }: { order: "newest" | "oldest"; limit: number },
) {
  return read
    .selectFrom("log_lines")
    .selectAll()
    .where("level", "=", level)
    .where("id", ">=", from)
    .where("id", "<", to)
    .orderBy("id", order === "newest" ? "desc" : "asc")
    .limit(limit)
    .execute();
}

/** Makes a page of lines, of which there is one more than `limit` when another page follows. */
function toPage(lines: readonly StoredLine[], limit: number, scanned: number): LogPage {
  const next = lines.length > limit ? lines[limit - 1]?.id : undefined;
  return { lines: lines.slice(0, limit), next, scanned };
}

export function toStoredLine({ id, at, level, line }: LogLinesTable): StoredLine {
  return { id, at: at ?? undefined, level, line };
}

/** Shrinks the batch for long searches, which may compare each letter with each letter of a line (C37). */
function getBatchSize(batch: number, terms: readonly string[]): number {
  const letters = terms.join("").length;
  return Math.ceil(batch / Math.max(1, letters / BATCH_LETTERS));
}

async function isRare({ read }: Database, level: string): Promise<boolean> {
  const { all, ofLevel } = await read
    .selectFrom("log_hours")
    .select(({ eb, fn }) => [
      fn.sum<number | null>("lines").as("all"),
      fn
        .sum<number | null>(eb.case().when("level", "=", level).then(eb.ref("lines")).else(0).end())
        .as("ofLevel"),
    ])
    .executeTakeFirstOrThrow();
  return Number(ofLevel) < Number(all) * SPARSE_BELOW;
}

/** Returns the range of ids that contains all matches. */
async function getSpan(
  { read }: Database,
  { level, from, until }: LogFilter,
  past: number | undefined,
  order: "newest" | "oldest",
): Promise<Span> {
  const { first_id, next_id } = await read
    .selectFrom("log_state")
    .select(["first_id", "next_id"])
    .executeTakeFirstOrThrow();
  const place = past === undefined ? {} : order === "newest" ? { to: past } : { from: past + 1 };
  const all = { from: Math.max(first_id, place.from ?? 0), to: Math.min(next_id, place.to ?? next_id) };
  if (from === undefined && until === undefined) return all;
  const { least, greatest } = await read
    .selectFrom("log_hours")
    .select(({ fn }) => [fn.min("least_id").as("least"), fn.max("greatest_id").as("greatest")])
    .where("level", "<>", "")
    .$if(level !== undefined, (query) => query.where("level", "=", level ?? ""))
    .$if(from !== undefined, (query) => query.where("hour", ">", (from ?? 0) - hours(1)))
    .$if(until !== undefined, (query) => query.where("hour", "<", until ?? 0))
    .executeTakeFirstOrThrow();
  if (least === null || greatest === null) return { from: 0, to: 0 };
  return { from: Math.max(all.from, Number(least)), to: Math.min(all.to, Number(greatest) + 1) };
}

/** Returns the id at which the next `batch` lines end; with a level only lines of that level count. */
async function getBatchEnd(
  { longRead }: Database,
  level: string | undefined,
  { from, to }: Span,
  order: "newest" | "oldest",
  batch: number,
): Promise<number> {
  const isNewest = order === "newest";
  // Ids have no gaps, but the ids of one level do.
  if (level === undefined) return isNewest ? Math.max(from, to - batch) : Math.min(to, from + batch);
  const last = await longRead
    .selectFrom("log_lines")
    .select("id")
    .where("level", "=", level)
    .where("id", ">=", from)
    .where("id", "<", to)
    .orderBy("id", isNewest ? "desc" : "asc")
    .limit(1)
    .offset(batch - 1)
    .executeTakeFirst();
  if (isNewest) return last?.id ?? from;
  return last ? last.id + 1 : to;
}

async function findMatches(
  { longRead, dialect }: Database,
  { level, from, until }: LogFilter,
  terms: readonly string[],
  span: Span,
  { order, byLevel, limit }: { order: "newest" | "oldest"; byLevel: boolean; limit: number },
): Promise<StoredLine[]> {
  let query = longRead
    .selectFrom("log_lines")
    .selectAll()
    .where("id", ">=", span.from)
    .where("id", "<", span.to);
  // The plus sign keeps SQLite from using the index of levels: reading consecutive lines is three times as
  // fast.
  const levelRef = dialect === "sqlite" && !byLevel ? sql<string>`+level` : sql<string>`level`;
  query = level === undefined ? query.where("level", "<>", "") : query.where(levelRef, "=", level);
  if (from !== undefined) query = query.where("at", ">=", from);
  if (until !== undefined) query = query.where("at", "<", until);
  // Compares as SQLite does, case-insensitive for ASCII letters only, which takes half of the time.
  const isLike = dialect === "postgres" ? sql`collate "C" ilike` : sql`like`;
  for (const term of terms) {
    query = query.where(sql<boolean>`line ${isLike} ${`%${likeLiteral(term)}%`} escape '!'`);
  }
  const rows = await query
    .orderBy("id", order === "newest" ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map(toStoredLine);
}
