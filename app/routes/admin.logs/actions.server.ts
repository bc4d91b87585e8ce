import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf, requestId } from "~/http/request-context.server";
import { logs } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

/** Deletes all lines there are, or says that they are all still there. */
export async function actOnLogs(request: Request, person: SignedIn) {
  const { intent } = typed(await readForm(request));
  if (intent !== "delete") throw seeOther(paths.logs);
  try {
    await logs.deleteAll({ by: person.email, ...originOf(request) });
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "the logs could not be deleted");
    return data({ failed: true }, { status: 500 });
  }
  // Done already: what it leaves behind is removed bit by bit, beside everything else.
  void logs.sweep().catch((err: unknown) => serverBridge().logger.warn({ err }, "sweeping failed"));
  throw seeOther(`${paths.logs}?notice=logs-deleted`);
}
