import type { NoticeCode } from "~/content/notices";
import { submissionMessages as copy } from "~/content/submissions";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { actOnInquiries, readMarks } from "~/http/inquiry-actions.server";
import { readPage, readPlace, type UrlState } from "~/http/list-state";
import { isFiltered, submissionsList, type ReadSubmissions } from "~/http/lists/submissions-list";
import { getActor } from "~/http/request-context.server";
import { days } from "~/lib/durations";
import type { ListPage } from "~/lib/list-page";
import { allValues, firstValues } from "~/lib/parse-form";
import { startOfDay } from "~/lib/utc-day";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import {
  asksHeardFrom,
  deletions,
  inquiries,
  mirrorInUse,
  signups,
  sources,
  submissions,
} from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { NEWEST_FIRST } from "~/services/submissions/submission-filter";
import { formatTyped } from "~/services/submissions/submission-columns";
import type { SubmissionKind } from "~/lib/form-fields";

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 25;
/** How far back the sources are counted that the filter suggests; older ones can be typed. */
const SUGGESTED_MS = days(90);
/** Submissions that a question names at most. */
const MAX_NAMED = 5;

/**
 * Builds a form's table from its URL: `?q=`, `&choice=`, `&source=`, `&mail=`, `&status=`, `&from=`, `&to=` and `&since=` filter, `&sort=`
 * and `&order=` order, `&before=` and `&after=` are pages, `&id=` is selected, `&step=delete` asks before the selection
 * is deleted or, with `&through=`, all that match and were accepted up to that position.
 * @param options.newSince epoch milliseconds, since when rows are new to the operator; undefined: none is.
 */
export async function getSubmissionsView(
  kind: SubmissionKind,
  search: URLSearchParams,
  { timeZone, newSince }: { timeZone: string; newSince: number | undefined },
) {
  const read = submissionsList(kind).read(search, timeZone);
  const selected = search.getAll("id").filter(isUuid);
  const [counts, end, newCount, unconfirmed, suggestedSources, { rows, ...page }, recent, question] =
    await Promise.all([
      signups.counts(),
      submissions.end(kind),
      newSince === undefined ? undefined : submissions.countSince(kind, newSince),
      signups.countUnconfirmed(),
      sources.suggest(kind, { from: startOfDay(Date.now()) - SUGGESTED_MS }),
      readTable(read, search),
      deletions.recent(kind),
      getQuestion(kind, search, read, selected),
    ]);
  return {
    unconfirmed,
    suggestedSources,
    asksHeardFrom,
    kind,
    counts,
    rows: rows.map((row) => ({
      ...formatTyped(row),
      id: row.id,
      source: row.source,
      suppression: row.suppression,
      created_at: row.created_at,
      answered_at: row.answered_at,
      answered_by: row.answered_by,
      isNew: newSince !== undefined && row.created_at >= newSince,
    })),
    newSince,
    newCount,
    recent,
    selected,
    question,
    now: Date.now(),
    values: read.values,
    errors: read.ok ? undefined : read.errors,
    ...page,
    /** For a deletion of all that match; undefined where there is none. */
    through: counts[kind] > 0 ? end : undefined,
  };
}

/** Reads a page of the table; without rows where the filter is wrong. */
async function readTable(read: ReadSubmissions, search: URLSearchParams) {
  // undefined when it would have to be counted.
  let total: number | undefined;
  let isTooCommon = false;
  const list = async (page: ListPage) => {
    if (!read.ok) return [];
    const { matching, order } = read.filter;
    const { rows, ...table } = await submissions.list(matching, { order, ...page });
    ({ total, isTooCommon } = table);
    return rows;
  };
  const direction = read.ok ? read.filter.order.direction : undefined;
  const page = await readPage(readPlace(search), PAGE_SIZE, list, direction);
  return { ...page, total, isTooCommon };
}

export type SubmissionsView = Awaited<ReturnType<typeof getSubmissionsView>>;

async function getQuestion(
  kind: SubmissionKind,
  search: URLSearchParams,
  read: ReadSubmissions,
  selected: string[],
) {
  if (search.get("step") !== "delete" || !read.ok) return undefined;
  const back = (notice: "no-submission-selected" | "submissions-gone") =>
    report(notice, paths.submissionTable(kind), { ...read.values, ...readPlace(search) });
  const typed = search.get("through") ?? undefined;
  const copies = mirrorInUse?.copies;
  if (typed === undefined) {
    if (selected.length === 0) throw back("no-submission-selected");
    const rows = await submissions.rows(selected);
    if (rows.length === 0) throw back("submissions-gone");
    const total = { count: rows.length, isMore: false };
    return { through: undefined, total, named: listNamed(rows), asksForWord: false, copies };
  }
  const through = readThrough(typed);
  if (through === undefined) throw back("submissions-gone");
  const filter = { ...read.filter.matching, through };
  const [{ rows }, total] = await Promise.all([
    submissions.list(filter, { order: NEWEST_FIRST, limit: MAX_NAMED }),
    submissions.count(filter),
  ]);
  if (rows.length === 0) throw back("submissions-gone");
  return { through: typed, total, named: listNamed(rows), asksForWord: !isFiltered(read.values), copies };
}

/** Reads a position. @returns undefined for text that is none. */
const readThrough = (typed: string): number | undefined =>
  /^\d{1,15}$/.test(typed) ? Number(typed) : undefined;

/** Returns the submissions that a question names. */
const listNamed = (rows: readonly { id: string; name: string; email: string }[]) =>
  rows.slice(0, MAX_NAMED).map(({ id, name, email }) => ({ id, name, email }));

/**
 * Deletes the selection or, with `through`, all that match up to that position; or restores a deletion. Without a
 * filter that is the whole table, and a confirmation word has to be typed. Or marks inquiries.
 */
export async function actOnSubmissions(request: Request, kind: SubmissionKind, operator: SignedIn) {
  const form = await readForm(request);
  const fields = firstValues(form);
  const { intent, through: typed = "", deletion = "" } = fields;
  const through = readThrough(typed);
  const search = new URLSearchParams(fields);
  const read = submissionsList(kind).read(search, operator.timeZone);
  const reportHere = (notice?: NoticeCode, result: UrlState = {}) => {
    return report(notice, paths.submissionTable(kind), { ...read.values, ...readPlace(search), ...result });
  };
  const actor = getActor(request, operator);

  if (intent === "undo") {
    const restored = await deletions.undo(deletion, actor);
    return reportHere(restored > 0 ? "submissions-restored" : "deletion-over", { count: restored });
  }
  const marks = readMarks(form);
  if (marks) {
    // The button of one row is in the form of the selection, and is not about it: what is selected stays selected.
    const selected = intent === undefined ? allValues(form, "id").filter(isUuid) : [];
    return reportHere(await actOnInquiries(inquiries, marks, actor), { id: selected });
  }
  // An invalid filter must not be treated as no filter.
  if (intent !== "delete" || (typed !== "" && (!read.ok || through === undefined))) return reportHere();
  const ids = allValues(form, "id");
  if (through === undefined && ids.length === 0) return reportHere("no-submission-selected");
  if (
    through !== undefined &&
    !isFiltered(read.values) &&
    fields.word?.trim().toLowerCase() !== copy.wordToType
  ) {
    return refuse("delete", { wordError: copy.wordMissing });
  }
  const chosen = through !== undefined && read.ok ? { ...read.filter.matching, through } : { kind, ids };
  const deleted = await deletions.delete(chosen, actor);
  if (deleted === undefined) return reportHere("submissions-gone");
  return reportHere("submissions-deleted", { deletion: deleted });
}
