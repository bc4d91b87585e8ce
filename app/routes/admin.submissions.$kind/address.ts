import type { NoticeCode } from "~/operator-messages";
import { paths } from "~/paths";
import type { SubmissionKind } from "~/services/signups/submission-kinds";
import { filterEntries } from "./filter";
import type { FilterValues } from "./filter";

interface Place {
  /** The page after this id. */
  after?: string | undefined;
  /** Ids that are ticked. */
  ticked?: readonly string[] | undefined;
  /** The question that is asked. */
  step?: "delete" | undefined;
  /** The question is about all that match up to this id, not about what is ticked. */
  through?: string | undefined;
  notice?: NoticeCode | undefined;
  /** What the notice is about. */
  deletion?: string | undefined;
}

/** The page's URL: everything a reload should keep. */
export function submissionsAt(kind: SubmissionKind, values: FilterValues, place: Place = {}): string {
  const { ticked = [], ...rest } = place;
  const search = new URLSearchParams(filterEntries(values));
  for (const [name, value] of Object.entries(rest)) if (value) search.set(name, value);
  for (const id of ticked) search.append("id", id);
  return search.size > 0 ? `${paths.submissionsOf(kind)}?${search}` : paths.submissionsOf(kind);
}
