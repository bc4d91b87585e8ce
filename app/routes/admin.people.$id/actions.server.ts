import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { originOf } from "~/http/request-context.server";
import { people } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Erases the person; leads to where they stood. */
export async function actOnPerson(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent } = typed(await readForm(request));
  if (intent !== "erase") return report(undefined, paths.person(id));
  const outcome = await people.erase(id, { by: person.email, ...originOf(request) });
  if (outcome.ok) return report("person-erased", paths.submissionsOf(outcome.kind));
  if (outcome.error === "unknown") return report("person-gone", paths.submissionsOf(SUBMISSION_KINDS[0]));
  return report("person-mail-under-way", paths.person(id));
}
