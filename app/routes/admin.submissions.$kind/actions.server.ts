import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { operatorMessages } from "~/content/operator-messages";
import { refuse, report } from "~/http/action-result.server";
import type { NoticeCode } from "~/content/operator-messages";
import { paths } from "~/paths";
import { originOf } from "~/http/request-context.server";
import { deletions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { isFiltered, submissionsList } from "./filter";

const copy = operatorMessages.submissions;

/**
 * Deletes what is selected or, with `through`, all that match up to that id; or restores a deletion. Without a filter that is
 * the whole table, and a word has to be typed.
 */
export async function actOnSubmissions(request: Request, kind: SubmissionKind, person: SignedIn) {
  const form = await readForm(request);
  const fields = typed(form);
  const { intent, through = "", after = "", deletion = "" } = fields;
  const read = submissionsList(kind).read(new URLSearchParams(fields));
  const reportHere = (notice?: NoticeCode, deletion?: string) => {
    const place = { after: isUuid(after) ? after : undefined, deletion };
    return report(notice, paths.submissionsOf(kind), { ...read.values, ...place });
  };
  const operator = { by: person.email, ...originOf(request) };

  if (intent === "undo") {
    const restored = await deletions.undo(deletion, operator);
    return reportHere(restored > 0 ? "submissions-restored" : "deletion-over");
  }
  // A filter that was not understood must not become all there is.
  if (intent !== "delete" || (through !== "" && (!read.ok || !isUuid(through)))) return reportHere();
  const ids = [form.id ?? []].flat();
  if (through === "" && ids.length === 0) return reportHere("no-submission-ticked");
  if (through !== "" && !isFiltered(read.values) && typedWord(fields.word) !== copy.wordToType) {
    return refuse("delete", { wordError: copy.wordMissing });
  }
  const chosen = through !== "" && read.ok ? { ...read.filter.matching, through } : { kind, ids };
  const deleted = await deletions.delete(chosen, operator);
  if (deleted === undefined) return reportHere("submissions-gone");
  return reportHere("submissions-deleted", deleted);
}

const typedWord = (value = "") => value.trim().toLowerCase();
