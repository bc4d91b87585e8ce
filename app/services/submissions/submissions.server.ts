import { sql } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countRows, countUpTo } from "~/db/rows";
import { getLeastUuid } from "~/lib/uuid";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import { createSubmissionSearch } from "~/services/search/submission-search.server";
import { MAX_SORTED, findMatches, type Page } from "./matching.server";
import { countByPeriod } from "./period-counts.server";
import { countByKind } from "./submission-states.server";
import { SORT_KEYS } from "./sort-keys";
import { isNewestFirst } from "./list-plan";
import { NEWEST_FIRST, type SubmissionFilter, type SubmissionOrder } from "./submission-filter";
import { days } from "~/lib/durations";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";

/** Rows an export reads at a time: 2 MB with the longest possible messages. Larger batches are not faster. */
const BATCH = 100;

/** Most matches counted for a narrow filter: finding that many takes as long as a page may take. */
const MAX_COUNTED = 5000;

/** A midnight of UTC after all submissions. */
const FAR_FUTURE = days(100_000);

/** Number of matches; `isMore` when there are more than that. */
export interface MatchCount {
  readonly count: number;
  readonly isMore: boolean;
}

export type Submissions = ReturnType<typeof createSubmissions>;
export type ListedSubmission = Awaited<ReturnType<typeof listRows>>[number];

interface SubmissionsDeps {
  readonly database: Database;
  /** Number of matches that are few enough to be sorted; tests use fewer. */
  readonly maxSorted?: number;
}

/** Lists accepted submissions for the tables of each form: filtered, sorted and paged by keyset. */
export function createSubmissions({ database, maxSorted = MAX_SORTED }: SubmissionsDeps) {
  const { read } = database;
  const search = createSubmissionSearch({ database });
  const ids = (filter: SubmissionFilter, page: Page) =>
    findMatches({ database, search, maxSorted }, filter, page);

  return {
    /** Lists a page of ids, with the number of matches if it is a by-product. */
    ids,

    /** Lists the same page with all typed fields, and the number of matches where it is known without counting. */
    async list(filter: SubmissionFilter, page: Page) {
      const { ids: found, total: counted, isTooCommon } = await ids(filter, page);
      const [rows, total] = await Promise.all([
        listRows(read, found),
        counted ?? getStoredTotal(read, filter),
      ]);
      return { rows, total, isTooCommon };
    },

    /** Counts the matches up to `filter.through` for a confirmation; without a stored count, up to 5,000. */
    async count(filter: SubmissionFilter & { through: number }): Promise<MatchCount> {
      const { through: _, ...all } = filter;
      const stored = await getStoredTotal(read, all);
      if (stored !== undefined) {
        return { count: stored - (await countLater(read, filter)), isMore: false };
      }
      const found = (await ids(filter, { order: NEWEST_FIRST, limit: MAX_COUNTED + 1 })).ids.length;
      return { count: Math.min(found, MAX_COUNTED), isMore: found > MAX_COUNTED };
    },

    /** Counts the submissions of a form that arrived at this time or later, up to 5,000. */
    countSince: (kind: SubmissionKind, since: number): Promise<MatchCount> => countNewest(read, kind, since),

    /** Returns the position of the submission of a form that was accepted last, for `filter.through`. */
    end: async (kind: SubmissionKind): Promise<number> => (await getAudienceEnd(read, kind)).position,

    /** Lists those of these ids that are accepted, in the given order. */
    rows: (submissionIds: readonly string[]) => listRows(read, submissionIds),

    /** Yields all matches in batches: one is in memory at a time, and none is read before it is needed. */
    async *batches(
      filter: SubmissionFilter,
      askedOrder: SubmissionOrder,
    ): AsyncGenerator<ListedSubmission[]> {
      let order = askedOrder;
      // Whatever is found meanwhile: results in two orders would repeat some and miss others. So those of a search that are few
      // are all found at once, and others are listed newest first to the end.
      let limit = filter.search && !isNewestFirst(order) ? maxSorted : BATCH;
      for (let last: ListedSubmission | undefined; ;) {
        const bound = order.direction === "desc" ? { before: last?.id } : { after: last?.id };
        const { ids: found, isTooCommon } = await ids(filter, {
          order,
          ...bound,
          boundKey: last?.sortKey,
          limit,
        });
        if (isTooCommon) order = NEWEST_FIRST;
        for (let at = 0; at < found.length; at += BATCH) {
          const rows = await listRows(read, found.slice(at, at + BATCH), order.sort);
          if (rows.length > 0) yield rows;
          last = rows.at(-1) ?? last;
        }
        if (found.length < limit) return;
        limit = BATCH;
      }
    },
  };
}

/**
 * Lists accepted submissions in the order of the ids, with the reason why an address gets no email.
 * @param sort of the `sortKey` that each has.
 */
async function listRows(
  read: Read,
  ids: readonly string[],
  sort: SubmissionOrder["sort"] = NEWEST_FIRST.sort,
) {
  if (ids.length === 0) return [];
  const rows = await read
    .selectFrom("submissions")
    .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
    .select(TYPED_COLUMNS)
    .select([
      "submissions.id",
      "submissions.created_at",
      "submissions.source",
      "suppressions.reason as suppression",
    ])
    .select(["answered_at", "answered_by"])
    .select(sql<string>`${SORT_KEYS[sort] ?? sql.ref("submissions.id")}`.as("sortKey"))
    .where("submissions.id", "in", ids)
    .where("state", "=", "accepted")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Counts what arrived since a time, from the index of the table alone. */
async function countNewest(read: Read, kind: SubmissionKind, since: number): Promise<MatchCount> {
  const newest = read
    .selectFrom("submissions")
    .select("id")
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where("id", ">=", getLeastUuid(since))
    // Without an order PostgreSQL reads the table from its oldest row on.
    .orderBy("id", "desc");
  const found = await countUpTo(MAX_COUNTED + 1, read, newest);
  return { count: Math.min(found, MAX_COUNTED), isMore: found > MAX_COUNTED };
}

/** Returns the number of matches where a counter has it, or where they are the newest and few enough to count. */
async function getStoredTotal(read: Read, filter: SubmissionFilter): Promise<number | undefined> {
  const { search, choice, source, emailState, inquiryState, from, until, since, through, kind } = filter;
  if (search || choice || source || emailState || inquiryState || through !== undefined) return undefined;
  if (since !== undefined) {
    if (from !== undefined || until !== undefined) return undefined;
    const { count, isMore } = await countNewest(read, kind, since);
    return isMore ? undefined : count;
  }
  if (from === undefined && until === undefined) return (await countByKind(read, "accepted"))[kind];
  const counts = await countByPeriod(read, [{ from: from ?? 0, until: until ?? FAR_FUTURE }]);
  return counts?.[0]?.[SUBMISSION_KINDS.indexOf(kind)];
}

/** Counts submissions that were accepted after the confirmation was shown. */
function countLater(read: Read, { kind, through, from, until }: SubmissionFilter & { through: number }) {
  let later = read
    .selectFrom("submissions")
    .where("kind", "=", kind)
    // Literal, not bound: the partial index is used only then.
    .where(sql<boolean>`state = 'accepted' and audience_position >= 0`)
    .where("audience_position", ">", through);
  if (from !== undefined) later = later.where("id", ">=", getLeastUuid(from));
  if (until !== undefined) later = later.where("id", "<", getLeastUuid(until));
  return countRows(later);
}
