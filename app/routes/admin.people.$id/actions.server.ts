import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { people } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { submissionsSaying } from "./person-view.server";

/** Erases the person; leads to where they stood. */
export async function actOnPerson(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent } = typed(await readForm(request));
  if (intent !== "erase") return seeOther(paths.person(id));
  const outcome = await people.erase(id, { by: person.email, ...originOf(request) });
  if (outcome.ok) return seeOther(submissionsSaying("person-erased", outcome.kind));
  if (outcome.error === "unknown") return seeOther(submissionsSaying("person-gone"));
  return seeOther(`${paths.person(id)}?notice=person-mail-under-way`);
}
