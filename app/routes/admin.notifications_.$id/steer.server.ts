import { readForm } from "~/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { broadcasts } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** The buttons of a broadcast's page. What its state does not allow (any more) changes nothing. */
export async function steerBroadcast(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent } = typed(await readForm(request));
  const by = { by: person.email, ...originOf(request) };
  switch (intent) {
    case "pause":
      await broadcasts.pause(id, by);
      break;
    case "resume":
      await broadcasts.resume(id, by);
      break;
    case "accept-refusals":
      await broadcasts.acceptRefusals(id, by);
      break;
    case "retry-failed":
      await broadcasts.retryFailed(id, by);
      break;
    case "ask-platform-again":
      await broadcasts.askPlatformAgain(id, by);
      break;
    case "cancel":
      await broadcasts.cancel(id, by);
  }
  return seeOther(paths.broadcast(id));
}
