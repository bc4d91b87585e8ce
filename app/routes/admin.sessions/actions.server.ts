import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import type { NoticeCode } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { ownSessions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** The buttons of the page. A session that is not the person's, or is over, is left as it is. */
export async function actOnSessions(request: Request, person: SignedIn): Promise<Response> {
  const { intent = "", session = "" } = typed(await readForm(request));
  if (intent === "end-others") {
    await ownSessions.endOthers(person, originOf(request));
    return told("other-sessions-ended");
  }
  if (intent !== "end") return seeOther(paths.sessions);
  const ended = await ownSessions.endOne(person, session, originOf(request));
  return told(ended ? "session-ended" : "session-over");
}

function told(notice: NoticeCode): Response {
  return seeOther(`${paths.sessions}?notice=${notice}`);
}
