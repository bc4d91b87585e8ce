import type { Actor } from "~/services/audit/audit.server";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { getActor } from "~/http/request-context.server";
import { broadcasts } from "~/services/container.server";
import type { TransitionResult } from "~/services/broadcast/broadcast-state.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const ACTIONS: Readonly<Record<string, (id: string, by: Actor) => Promise<TransitionResult>>> = {
  pause: broadcasts.pause,
  resume: broadcasts.resume,
  "accept-refusals": broadcasts.acceptRefusals,
  "retry-failed": broadcasts.retryFailed,
  "ask-platform-again": broadcasts.retryPlatform,
  cancel: broadcasts.cancel,
};

/** Handles the buttons of a broadcast's page, which reports an action that its status does not allow. */
export async function changeBroadcast(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent = "" } = typed(await readForm(request));
  const by = getActor(request, person);
  const outcome = Object.hasOwn(ACTIONS, intent) ? await ACTIONS[intent]?.(id, by) : undefined;
  if (!outcome || outcome.ok) return report(undefined, paths.broadcast(id));
  if (outcome.error === "unknown-broadcast") return report("unknown-broadcast", paths.notifications);
  return report("notification-unchanged", paths.broadcast(id));
}
