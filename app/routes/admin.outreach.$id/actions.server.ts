import { readForm } from "~/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { outreach } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** The buttons of a send's page. An action the send's state does not allow (any more) changes nothing. */
export async function actOnSend(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent = "", decision = "" } = typed(await readForm(request));
  const by = { by: person.email, ...originOf(request) };
  switch (intent) {
    case "pause":
      await outreach.pause(id, by);
      break;
    case "resume":
      await outreach.resume(id, by);
      break;
    case "begin":
      await outreach.begin(id, by);
      break;
    case "cancel":
      await outreach.cancel(id, by);
      break;
    case "retry-failed":
      await outreach.retryFailed(id, by);
      break;
    case "decide":
      if (decision === "resend" || decision === "count-as-sent")
        await outreach.decideUncertain(id, decision, by);
  }
  return seeOther(paths.outreachSend(id));
}
