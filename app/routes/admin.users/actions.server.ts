import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import type { Reissuing, Removing, Resetting } from "~/services/accounts/user-management.server";
import { userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { addUser, issue, refuseUser } from "./add-user.server";

const copy = operatorMessages.users;

/** The buttons of User Management, by the name of what they do. */
export async function actOnUsers(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", account = "" } = typed(form);
  switch (intent) {
    case "remove":
      return removed(await userManagement.removeAccount(person, account, originOf(request)));
    case "reissue":
      return reissued(await userManagement.reissueTemporaryPassword(person, account, originOf(request)));
    case "reset-second-factor":
      return secondFactorReset(await userManagement.resetSecondFactor(person, account, originOf(request)));
    default:
      return addUser(form, request, person);
  }
}

function reissued(outcome: Reissuing) {
  if (outcome.ok) return issue(outcome, copy.reissued);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return report("user-gone", paths.users);
  return refuseUser({ message: copy.reissueFailed, advice: copy.protections[outcome.error] }, 409);
}

function removed(outcome: Removing) {
  if (outcome.ok) return report("user-removed", paths.users);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return report("user-gone", paths.users);
  return refuseUser({ message: copy.cannotRemove, advice: copy.protections[outcome.error] }, 409);
}

function secondFactorReset(outcome: Resetting) {
  if (outcome.ok) return report("second-factor-reset", paths.users);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return report("user-gone", paths.users);
  const { failed } = operatorMessages.secondFactor;
  return refuseUser({ message: failed, advice: copy.protections[outcome.error] }, 409);
}
