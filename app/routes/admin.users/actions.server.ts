import { operatorMessages } from "~/content/operator-messages";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import type {
  ReissuePasswordResult,
  RemoveAccountResult,
  ResetSecondFactorResult,
} from "~/services/accounts/user-management.server";
import { userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { addUser, issue, refuseUser } from "./add-user.server";

const copy = operatorMessages.users;

/** Handles the buttons of User Management, by intent. */
export async function actOnUsers(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", account = "" } = typed(form);
  const origin = getRequestOrigin(request);
  switch (intent) {
    case "remove": {
      const outcome = await userManagement.removeAccount(person, account, origin);
      return outcome.ok ? report("user-removed", paths.users) : toRefusal(outcome, copy.cannotRemove);
    }
    case "reissue": {
      const outcome = await userManagement.reissueTemporaryPassword(person, account, origin);
      return outcome.ok ? issue(outcome, copy.reissued) : toRefusal(outcome, copy.reissueFailed);
    }
    case "reset-second-factor": {
      const outcome = await userManagement.resetSecondFactor(person, account, origin);
      if (outcome.ok) return report("second-factor-reset", paths.users);
      return toRefusal(outcome, operatorMessages.secondFactor.failed);
    }
    default:
      return addUser(form, request, person);
  }
}

function toRefusal(
  { error }: Extract<ReissuePasswordResult | RemoveAccountResult | ResetSecondFactorResult, { ok: false }>,
  message: string,
) {
  if (error === "unauthorized") return seeOther(paths.unauthorized);
  if (error === "unknown-account") return report("user-gone", paths.users);
  return refuseUser({ message, advice: copy.protections[error] }, 409);
}
