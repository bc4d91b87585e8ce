import { report } from "~/http/action-result.server";
import { paths } from "~/paths";
import { mirrorInUse, people } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Forms and emails shown. */
const MAX_SHOWN = 50;

/**
 * Builds the page; `?step=erase` asks before erasing. @throws a redirect to the submissions when no submission
 * has this id.
 */
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
