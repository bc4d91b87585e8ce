import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import type { SubmissionValues } from "./filter";

interface Place {
  /** The page after this id. */
  after?: string | undefined;
  /** The question that is asked. */
  step?: "delete" | undefined;
  /** The question is about all that match up to this id, not about what is selected. */
  through?: string | undefined;
  /** Ids that are selected. */
  id?: readonly string[] | undefined;
}

/** The page's URL: everything a reload should keep. */
export function submissionsAt(kind: SubmissionKind, values: SubmissionValues, place: Place = {}): string {
  return linkTo(paths.submissionsOf(kind), { ...values, ...place });
}
