import type { NoticeCode } from "~/content/notices";
import { submissionMessages as copy } from "~/content/submissions";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { toPage } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { capitalize } from "~/lib/capitalize";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import { deletions, signups, submissions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { isFiltered, submissionsList, type ReadSubmissions } from "./filter";

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 25;
/** Submissions that a question names. */
const MAX_NAMED = 5;

/** @throws a redirect to the first table when there is no such form */
export function getKind(params: { kind?: string | undefined }): SubmissionKind {
  const kind = SUBMISSION_KINDS.find((known) => known === params.kind);
  if (!kind) throw seeOther(paths.submissions);
  return kind;
}

/**
 * Builds a form's table from its URL: `?q=`, `&choice=`, `&mail=`, `&from=` and `&to=` filter, `&sort=`
 * orders, `&after=` is the page after that id, `&id=` is selected, `&step=delete` asks before the selection
 * is deleted or, with `&through=`, all that match up to that id.
 */
export async function getSubmissionsView(kind: SubmissionKind, search: URLSearchParams) {
  const read = submissionsList(kind).read(search);
  const after = search.get("after") ?? undefined;
  const selected = search.getAll("id").filter(isUuid);
  const isFirstPage = read.ok && read.filter.sort === "newest" && after === undefined;
  const [counts, unconfirmed, table, newest, recent, question] = await Promise.all([
    signups.counts(),
    signups.countUnconfirmed(),
    read.ok
      ? submissions.list(read.filter.matching, { sort: read.filter.sort, after, limit: PAGE_SIZE + 1 })
      : { rows: [], total: undefined, isTooCommon: false },
    isFirstPage ? undefined : submissions.newest(kind),
    deletions.recent(kind),
    getQuestion(kind, search, read, selected),
  ]);
  const { rows, older: next } = toPage(table.rows, PAGE_SIZE);
  return {
    unconfirmed,
    kind,
    counts,
    rows: rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      company: row.company,
      role: capitalize(row.role),
      inquiryType: capitalize(row.inquiry_type),
      message: row.message,
      suppression: row.suppression,
      created_at: row.created_at,
    })),
    recent,
    selected,
    question,
    now: Date.now(),
    values: read.values,
    errors: read.ok ? undefined : read.errors,
    /** undefined when it would have to be counted. */
    total: table.total,
    isTooCommon: table.isTooCommon,
    after,
    next,
    newest: isFirstPage ? rows[0]?.id : newest,
  };
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
    report(notice, paths.submissionTable(kind), read.values);
  const through = search.get("through") ?? undefined;
  if (through === undefined) {
    if (selected.length === 0) throw back("no-submission-selected");
    const rows = await submissions.rows(selected);
    if (rows.length === 0) throw back("submissions-gone");
    const total = { count: rows.length, isMore: false };
    return { through, total, named: named(rows), asksForWord: false };
  }
  if (!isUuid(through)) throw back("submissions-gone");
  const filter = { ...read.filter.matching, through };
  const [{ rows }, total] = await Promise.all([
    submissions.list(filter, { sort: "newest", limit: MAX_NAMED }),
    submissions.count(filter),
  ]);
  if (rows.length === 0) throw back("submissions-gone");
  return { through, total, named: named(rows), asksForWord: !isFiltered(read.values) };
}

const named = (rows: readonly { id: string; name: string; email: string }[]) =>
  rows.slice(0, MAX_NAMED).map(({ id, name, email }) => ({ id, name, email }));

/**
 * Deletes the selection or, with `through`, all that match up to that id; or restores a deletion. Without a
 * filter that is the whole table, and a confirmation word has to be typed.
 */
export async function actOnSubmissions(request: Request, kind: SubmissionKind, person: SignedIn) {
  const form = await readForm(request);
  const fields = typed(form);
  const { intent, through = "", after = "", deletion = "" } = fields;
  const read = submissionsList(kind).read(new URLSearchParams(fields));
  const reportHere = (notice?: NoticeCode, deletion?: string) => {
    const place = { after: isUuid(after) ? after : undefined, deletion };
    return report(notice, paths.submissionTable(kind), { ...read.values, ...place });
  };
  const operator = getActor(request, person);

  if (intent === "undo") {
    const restored = await deletions.undo(deletion, operator);
    return reportHere(restored > 0 ? "submissions-restored" : "deletion-over");
  }
  // An invalid filter must not be treated as no filter.
  if (intent !== "delete" || (through !== "" && (!read.ok || !isUuid(through)))) return reportHere();
  const ids = [form.id ?? []].flat();
  if (through === "" && ids.length === 0) return reportHere("no-submission-selected");
  if (through !== "" && !isFiltered(read.values) && fields.word?.trim().toLowerCase() !== copy.wordToType) {
    return refuse("delete", { wordError: copy.wordMissing });
  }
  const chosen = through !== "" && read.ok ? { ...read.filter.matching, through } : { kind, ids };
  const deleted = await deletions.delete(chosen, operator);
  if (deleted === undefined) return reportHere("submissions-gone");
  return reportHere("submissions-deleted", deleted);
}
