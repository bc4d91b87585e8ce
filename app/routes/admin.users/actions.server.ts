import { secondFactorMessages } from "~/content/second-factor";
import { userMessages as copy } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { inviteColleague, showInvitation } from "~/http/invitation-form.server";
import { addUser, showPassword } from "~/http/user-form.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Refused, RoleRefused } from "~/services/accounts/user-management.server";
import { invitations, userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Handles the buttons of User Management, by intent. */
export async function actOnUsers(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", account = "", invitation = "" } = firstValues(form);
  const origin = getRequestOrigin(request);
  switch (intent) {
    case "remove": {
      const outcome = await userManagement.removeAccount(person, account, origin);
      return outcome.ok ? report("user-removed", paths.users) : toRefusal(outcome, copy.cannotRemove);
    }
    case "reissue": {
      const outcome = await userManagement.reissueTemporaryPassword(person, account, origin);
      return outcome.ok ? showPassword(outcome, copy.reissued) : toRefusal(outcome, copy.reissueFailed);
    }
    case "reset-second-factor": {
      const outcome = await userManagement.resetSecondFactor(person, account, origin);
      if (outcome.ok) return report("second-factor-reset", paths.users);
      return toRefusal(outcome, secondFactorMessages.failed);
    }
    case "promote": {
      const outcome = await userManagement.changeRole(person, account, "superadmin", origin);
      return outcome.ok ? report("user-promoted", paths.users) : toRoleRefusal(outcome);
    }
    case "demote": {
      const outcome = await userManagement.changeRole(person, account, "admin", origin);
      return outcome.ok ? report("user-demoted", paths.users) : toRoleRefusal(outcome);
    }
    case "invite":
      return inviteColleague(invitations, form, request, person);
    case "renew": {
      const isEmailed = form.isEmailed === "on";
      const outcome = await invitations.renew(person, invitation, { isEmailed }, origin);
      return outcome.ok ? showInvitation(outcome) : toInvitationRefusal(outcome.error);
    }
    case "revoke": {
      const outcome = await invitations.revoke(person, invitation, origin);
      if (outcome.ok) return report("invitation-revoked", paths.users);
      return toInvitationRefusal(outcome.error);
    }
    case "add":
      return addUser(userManagement, form, request, person);
    default:
      return seeOther(paths.users);
  }
}

function toInvitationRefusal(error: "unauthorized" | "gone") {
  return error === "gone" ? report("invitation-gone", paths.users) : seeOther(paths.unauthorized);
}

function toRoleRefusal({ error }: RoleRefused) {
  if (error === "unauthorized") return seeOther(paths.unauthorized);
  if (error === "unknown-account") return report("user-gone", paths.users);
  if (error === "unchanged") return report("role-unchanged", paths.users);
  const refusal = { message: copy.roleUnchanged, advice: copy.roleProtections[error] };
  return refuse("user", refusal, { status: 409 });
}

function toRefusal({ error }: Refused, message: string) {
  if (error === "unauthorized") return seeOther(paths.unauthorized);
  if (error === "unknown-account") return report("user-gone", paths.users);
  return refuse("user", { message, advice: copy.protections[error] }, { status: 409 });
}
