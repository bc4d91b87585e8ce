import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { operatorMessages } from "~/content/operator-messages";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { deletions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { submissionsAt } from "./address";
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
  const place = { after: isUuid(after) ? after : undefined };
  const at = (more: Parameters<typeof submissionsAt>[2]) =>
    seeOther(submissionsAt(kind, read.values, { ...place, ...more }));
  const operator = { by: person.email, ...originOf(request) };

  if (intent === "undo") {
    const restored = await deletions.undo(deletion, operator);
    return at({ notice: restored > 0 ? "submissions-restored" : "deletion-over" });
  }
  // A filter that was not understood must not become all there is.
  if (intent !== "delete" || (through !== "" && (!read.ok || !isUuid(through)))) return at({});
  const ids = [form.id ?? []].flat();
  if (through === "" && ids.length === 0) return at({ notice: "no-submission-ticked" });
  if (through !== "" && !isFiltered(read.values) && typedWord(fields.word) !== copy.wordToType) {
    return data({ wordError: copy.wordMissing }, { status: 422 });
  }
  const chosen = through !== "" && read.ok ? { ...read.filter.matching, through } : { kind, ids };
  const deleted = await deletions.delete(chosen, operator);
  if (deleted === undefined) return at({ notice: "submissions-gone" });
  return at({ notice: "submissions-deleted", deletion: deleted });
}

const typedWord = (value = "") => value.trim().toLowerCase();
