import { secondFactorMessages } from "~/content/second-factor";
import type { NoticeCode } from "~/content/notices";
import { userMessages as copy } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { readPlace, sortedList } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { inviteColleague, showInvitation } from "~/http/invitation-form.server";
import { addUser, showPassword } from "~/http/user-form.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { ACCOUNT_SORTS } from "~/services/accounts/account-sorts";
import type { RoleRefused } from "~/services/accounts/user-management.server";
import { invitations, userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

export const usersList = sortedList(ACCOUNT_SORTS);

/** Reports on the screen, with the list in the order and on the page that the form was sent from. */
type ReportHere = (notice: NoticeCode) => Response;

/** Handles the buttons of User Management, by intent. */
export async function actOnUsers(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", account = "", invitation = "" } = firstValues(form);
  const origin = getRequestOrigin(request);
  const { searchParams } = new URL(request.url);
  const { values } = usersList.readLoosely(searchParams);
  const reportHere: ReportHere = (notice) =>
    report(notice, paths.users, { ...values, ...readPlace(searchParams) });
  switch (intent) {
    case "remove": {
      const outcome = await userManagement.removeAccount(operator, account, origin);
      if (outcome.ok) return reportHere("user-removed");
      return toRefusal(outcome, copy.cannotRemove, copy.protections, reportHere);
    }
    case "reissue": {
      const outcome = await userManagement.reissueTemporaryPassword(operator, account, origin);
      if (outcome.ok) return showPassword(outcome, "reissue");
      return toRefusal(outcome, copy.reissueFailed, copy.accessProtections, reportHere);
    }
    case "reset-second-factor": {
      const outcome = await userManagement.resetSecondFactor(operator, account, origin);
      if (outcome.ok) return reportHere("second-factor-reset");
      return toRefusal(outcome, secondFactorMessages.failed, copy.accessProtections, reportHere);
    }
    case "promote": {
      const outcome = await userManagement.changeRole(operator, account, "superadmin", origin);
      return outcome.ok ? reportHere("user-promoted") : toRoleRefusal(outcome, reportHere);
    }
    case "demote": {
      const outcome = await userManagement.changeRole(operator, account, "admin", origin);
      return outcome.ok ? reportHere("user-demoted") : toRoleRefusal(outcome, reportHere);
    }
    case "invite":
      return inviteColleague(invitations, form, request, operator);
    case "renew": {
      const isEmailed = form.isEmailed === "on";
      const outcome = await invitations.renew(operator, invitation, { isEmailed }, origin);
      return outcome.ok ? showInvitation(outcome) : toInvitationRefusal(outcome.error, reportHere);
    }
    case "revoke": {
      const outcome = await invitations.revoke(operator, invitation, origin);
      if (outcome.ok) return reportHere("invitation-revoked");
      return toInvitationRefusal(outcome.error, reportHere);
    }
    case "add":
      return addUser(userManagement, form, request, operator);
    default:
      return seeOther(paths.users);
  }
}

function toInvitationRefusal(error: "unauthorized" | "gone", reportHere: ReportHere) {
  return error === "gone" ? reportHere("invitation-gone") : seeOther(paths.unauthorized);
}

function toRoleRefusal({ error }: RoleRefused, reportHere: ReportHere) {
  if (error === "unchanged") return reportHere("role-unchanged");
  return toRefusal({ error }, copy.roleUnchanged, copy.roleProtections, reportHere);
}

/** @param advice by why the account is protected. */
function toRefusal<Protection extends string>(
  { error }: { error: Protection | "unauthorized" | "unknown-account" },
  message: string,
  advice: Readonly<Record<Protection, string>>,
  reportHere: ReportHere,
) {
  if (error === "unauthorized") return seeOther(paths.unauthorized);
  if (error === "unknown-account") return reportHere("user-gone");
  return refuse("user", { message, advice: advice[error] }, { status: 409 });
}
