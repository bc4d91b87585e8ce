import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { likeLiteral } from "~/lib/like-literal";
import type { LogFilter, LogPage, LogPlace, StoredLine } from "../log-store";
import { logSearchTerms } from "../search-terms";

/** How much is read in one query, which on SQLite keeps all others waiting, and for one page, so that it comes at once. */
interface Budget {
  readonly piece: number;
  readonly most: number;
}

/** Longer than this no page looks on: PostgreSQL takes five times as long for the same lines. */
const LONGEST_LOOK_MS = 200;
/** Lines that stand side by side: 20,000 take some 3 ms. */
const DENSE: Budget = { piece: 20_000, most: 300_000 };
/** Of a rare level each line is a place of its own on the disk: 2,000 take some 10 ms. */
const SPARSE: Budget = { piece: 2_000, most: 20_000 };
const SPARSE_BELOW = 1 / 20;
/** So many letters of all words together are looked for in a whole piece. */
const USUAL_LETTERS = 8;

/** Of ids: from the first, before the second. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A page of the log. Without words and times an index finds it. With them the lines are looked through piece by piece, in
 * the order asked for, until the page is full, `most` were read or it has taken long.
 * @param own for tests, which have few lines.
 */
export async function lookThrough(
  database: Database,
  filter: LogFilter,
  { past, limit, order = "newest", ...place }: LogPlace,
  own: { piece?: number; ms?: number } = {},
): Promise<LogPage> {
  const began = performance.now();
  const span = await getSpan(database, filter, past, order);
  const terms = logSearchTerms(filter.search ?? "");
  const isTimed = filter.from !== undefined || filter.until !== undefined;
  const isIndexed = terms.length === 0 && !isTimed && filter.level !== undefined;
  const isSparse = !isIndexed && filter.level !== undefined && (await isRare(database, filter.level));
  const budget = isSparse ? SPARSE : DENSE;
  const most = place.most ?? budget.most;
  const piece = Math.min(own.piece ?? getPieceSize(budget, terms), most);
  const isOver = (lines: number) => lines >= most || performance.now() - began >= (own.ms ?? LONGEST_LOOK_MS);
  const found: StoredLine[] = [];
  let rest = span;
  let lookedThrough = 0;
  while (rest.from < rest.to) {
    // SQLite answers within the same turn of the event loop: between two pieces others have theirs.
    if (lookedThrough > 0) await new Promise((resolve) => setImmediate(resolve));
    const taken = isIndexed
      ? { span: rest, lines: 0 }
      : await getPiece(database, isSparse ? filter.level : undefined, rest, order, piece);
    const byLevel = isIndexed || isSparse;
    const rows = await matching(database, filter, terms, taken.span, {
      order,
      byLevel,
      limit: limit + 1 - found.length,
    });
    found.push(...rows);
    if (found.length > limit) {
      const lines = found.slice(0, limit);
      return { lines, next: lines.at(-1)?.id, lookedThrough };
    }
    lookedThrough += taken.lines;
    rest = order === "newest" ? { ...rest, to: taken.span.from } : { ...rest, from: taken.span.to };
    if (isOver(lookedThrough) && rest.from < rest.to) {
      return { lines: found, next: order === "newest" ? rest.to : rest.from - 1, lookedThrough };
    }
  }
  return { lines: found, next: undefined, lookedThrough };
}

/** In the worst of lines each letter of each word is compared with each of the line: more letters, fewer lines (C37). */
function getPieceSize({ piece }: Budget, terms: readonly string[]): number {
  const letters = terms.join("").length;
  return Math.ceil(piece / Math.max(1, letters / USUAL_LETTERS));
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

/** Between which ids all that matches stands. */
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

/** The next so many lines that may match, with a level those of the level. */
async function getPiece(
  { read }: Database,
  level: string | undefined,
  rest: Span,
  order: "newest" | "oldest",
  piece: number,
): Promise<{ span: Span; lines: number }> {
  // Ids have no gaps; those of one level have.
  const spanned =
    order === "newest"
      ? { ...rest, from: Math.max(rest.from, rest.to - piece) }
      : { ...rest, to: Math.min(rest.to, rest.from + piece) };
  if (level === undefined) return { span: spanned, lines: spanned.to - spanned.from };
  const last = await read
    .selectFrom("log_lines")
    .select("id")
    .where("level", "=", level)
    .where("id", ">=", rest.from)
    .where("id", "<", rest.to)
    .orderBy("id", order === "newest" ? "desc" : "asc")
    .limit(1)
    .offset(piece - 1)
    .executeTakeFirst();
  if (!last) return { span: rest, lines: piece };
  return {
    span: order === "newest" ? { ...rest, from: last.id } : { ...rest, to: last.id + 1 },
    lines: piece,
  };
}

async function matching(
  { read, dialect }: Database,
  { level, from, until }: LogFilter,
  terms: readonly string[],
  span: Span,
  { order, byLevel, limit }: { order: "newest" | "oldest"; byLevel: boolean; limit: number },
): Promise<StoredLine[]> {
  let query = read.selectFrom("log_lines").selectAll().where("id", ">=", span.from).where("id", "<", span.to);
  // The sign keeps SQLite from going by the index of levels: lines that stand side by side are read three times as fast.
  const levelRef = dialect === "sqlite" && !byLevel ? sql<string>`+level` : sql<string>`level`;
  query = level === undefined ? query.where("level", "<>", "") : query.where(levelRef, "=", level);
  if (from !== undefined) query = query.where("at", ">=", from);
  if (until !== undefined) query = query.where("at", "<", until);
  // As SQLite compares: capital letters of ASCII alone count as small ones, which takes half of the time.
  const isLike = dialect === "postgres" ? sql`collate "C" ilike` : sql`like`;
  for (const term of terms) {
    query = query.where(sql<boolean>`line ${isLike} ${`%${likeLiteral(term)}%`} escape '!'`);
  }
  const rows = await query
    .orderBy("id", order === "newest" ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at ?? undefined }));
}
