import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { mirrorInUse, people } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { getActor } from "~/http/request-context.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Forms and emails shown. */
const MAX_SHOWN = 50;

/** @throws a redirect to the submissions when no submission has this id */
export async function getPersonView(id: string, search: URLSearchParams) {
  const person = await people.find(id, { limit: MAX_SHOWN });
  if (!person) throw report("person-gone", paths.submissionTable(SUBMISSION_KINDS[0]));
  return {
    ...person,
    id,
    name: person.forms.find((form) => form.name !== "")?.name ?? "",
    isQuestionOpen: search.get("step") === "erase",
    copies: mirrorInUse && (mirrorInUse.isRepeatable ? ("emptied" as const) : ("listed" as const)),
    now: Date.now(),
  };
}

export type PersonView = Awaited<ReturnType<typeof getPersonView>>;

/** Erases the person and redirects to where they were listed. */
export async function actOnPerson(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent } = typed(await readForm(request));
  if (intent !== "erase") return report(undefined, paths.person(id));
  const outcome = await people.erase(id, getActor(request, person));
  if (outcome.ok) return report("person-erased", paths.submissionTable(outcome.kind));
  if (outcome.error === "unknown") return report("person-gone", paths.submissionTable(SUBMISSION_KINDS[0]));
  return report("person-email-in-progress", paths.person(id));
}
