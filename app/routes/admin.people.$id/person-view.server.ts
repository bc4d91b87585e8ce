import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { mirrorInUse, people } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Of forms and of mails. */
const SHOWN = 50;

/** @throws the way to the submissions when nobody has this id any more. */
export async function personView(id: string, search: URLSearchParams) {
  const person = await people.find(id, { limit: SHOWN });
  if (!person) throw report("person-gone", paths.submissionsOf(SUBMISSION_KINDS[0]));
  return {
    ...person,
    id,
    name: person.forms.find((form) => form.name !== "")?.name ?? "",
    asks: search.get("step") === "erase",
    copies: mirrorInUse && (mirrorInUse.isRepeatable ? ("emptied" as const) : ("listed" as const)),
    now: Date.now(),
  };
}

export type PersonView = Awaited<ReturnType<typeof personView>>;
