import { paths } from "~/paths";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { seeOther } from "./redirects.server";

/** Returns the form that a route's `$kind` names. @throws a redirect to the first table when there is no such form. */
export function getSubmissionKind(params: { kind?: string | undefined }): SubmissionKind {
  const kind = SUBMISSION_KINDS.find((known) => known === params.kind);
  if (!kind) throw seeOther(paths.submissions);
  return kind;
}
