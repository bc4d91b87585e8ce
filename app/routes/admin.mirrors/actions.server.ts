import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { mirrorInUse, mirrors } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Repairs a copy, tries it again, or takes a person's answer about one row. */
export async function actOnMirrors(request: Request, person: SignedIn): Promise<Response> {
  const form = typed(await readForm(request));
  const kind = SUBMISSION_KINDS.find((known) => known === form.kind);
  const operator = { by: person.email, ...originOf(request) };
  const { intent, id = "" } = form;
  if (!mirrors) return seeOther(paths.mirrors);
  if (intent === "repair" && kind && mirrorInUse?.canRead) {
    await mirrors.repair(kind, operator);
    return report("mirror-repair", paths.mirrors);
  }
  if (intent === "try-again" && kind) {
    await mirrors.tryAgain(kind, operator);
    return report("mirror-again", paths.mirrors);
  }
  if (intent === "done" || intent === "again") {
    const decided = await mirrors.decide(id, intent, operator);
    return report(decided ? "mirror-decided" : "mirror-row-gone", paths.mirrors);
  }
  return seeOther(paths.mirrors);
}
