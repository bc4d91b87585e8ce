import { getFields } from "~/lib/form-fields";
import { firstValues } from "~/lib/parse-form";
import type { createInquiries } from "~/services/inquiries/inquiries.server";
import type { createPeople } from "~/services/people/people.server";
import { formatValue } from "~/services/submissions/submission-columns";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { report } from "./action-result.server";
import { readForm } from "./form-data.server";
import { actOnInquiries, readMarks } from "./inquiry-actions.server";
import { getActor } from "./request-context.server";

/** Forms and emails shown. */
const MAX_SHOWN = 50;

interface PersonServices {
  readonly people: Pick<ReturnType<typeof createPeople>, "find" | "erase">;
  readonly inquiries: Pick<ReturnType<typeof createInquiries>, "answer" | "reopen">;
  /** Where copies of the person's submissions are; undefined when nothing is mirrored. */
  readonly mirrorInUse: { readonly isRepeatable: boolean } | undefined;
}

interface PersonPlace {
  /** The id of the person, or of one of their submissions. */
  readonly id: string;
  /** The URL of the page: the person's own, or the one beside a list. */
  readonly page: string;
  /** The URL of the list that is left when there is no such person any more. */
  readonly list: string;
}

/** Builds the page of a person; `?step=erase` asks before erasing. @throws a redirect when there is no such person. */
export async function getPersonView(
  { people, mirrorInUse }: PersonServices,
  { id, page, list }: PersonPlace,
  request: Request,
) {
  const person = await people.find(id, { limit: MAX_SHOWN });
  if (!person) throw report("person-gone", list);
  return {
    ...person,
    forms: person.forms.map((form) => ({ ...form, fields: listFilledFields(form) })),
    page,
    name: person.forms.find((form) => form.name !== "")?.name ?? "",
    isQuestionOpen: new URL(request.url).searchParams.get("step") === "erase",
    copies: mirrorInUse && (mirrorInUse.isRepeatable ? ("emptied" as const) : ("listed" as const)),
    now: Date.now(),
  };
}

type SubmittedForm = NonNullable<Awaited<ReturnType<PersonServices["people"]["find"]>>>["forms"][number];

/** Lists the labels and values of what was typed into a form. */
function listFilledFields(form: SubmittedForm): [label: string, value: string][] {
  return getFields(form.kind)
    .filter(({ column }) => form[column] !== "")
    .map(({ column, label }) => [label, formatValue(column, form[column])]);
}

export type PersonView = Awaited<ReturnType<typeof getPersonView>>;

/** Handles the buttons of a person's page: marks an inquiry, or erases the person. */
export async function actOnPerson(
  { people, inquiries }: PersonServices,
  { id, page, list }: PersonPlace,
  request: Request,
  operator: SignedIn,
): Promise<Response> {
  const form = await readForm(request);
  const actor = getActor(request, operator);
  const marks = readMarks(form);
  if (marks) return report(await actOnInquiries(inquiries, marks, actor), page);
  if (firstValues(form).intent !== "erase") return report(undefined, page);
  const outcome = await people.erase(id, actor);
  if (outcome.ok) return report("person-erased", list);
  return outcome.error === "unknown" ? report("person-gone", list) : report("person-email-in-progress", page);
}
