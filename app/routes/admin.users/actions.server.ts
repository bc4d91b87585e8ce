import { data } from "@remix-run/node";
import { z } from "zod";
import { secondFactorMessages } from "~/content/second-factor";
import { userMessages as copy } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { emailField, parseForm, textField, typed, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { IssuedPassword, Refused } from "~/services/accounts/user-management.server";
import { userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const newUser = z.object({
  email: emailField({ label: "the email address" }),
  fullName: textField({ label: "the full name", max: 200, required: true }),
});

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
      return toRefusal(outcome, secondFactorMessages.failed);
    }
    default:
      return addUser(form, request, person);
  }
}

export type UsersAnswer = Exclude<Awaited<ReturnType<typeof actOnUsers>>, Response>["data"];

/** Adds a user, for User Management and its panel on the dashboard. */
export async function addUser(form: FormValues, request: Request, person: SignedIn) {
  const parsed = parseForm(newUser, form);
  if (!parsed.ok) {
    const { email = "", fullName = "" } = parsed.values;
    const isMissing = email.trim() === "" || fullName.trim() === "";
    const message = isMissing ? copy.missing : copy.createFailed;
    return refuse("user", { message, fields: { values: { email, fullName }, errors: parsed.errors } });
  }
  const fields = { values: parsed.value, errors: {} as Partial<typeof parsed.value> };
  try {
    const outcome = await userManagement.addAccount(person, parsed.value, getRequestOrigin(request));
    if (outcome.ok) return issue(outcome, copy.created);
    if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
    const advice = copy.emailTaken(parsed.value.email);
    return refuse("user", { message: copy.createFailed, advice, fields }, { status: 409 });
  } catch (err) {
    logError(err, "a user could not be added");
    const refusal = { message: copy.addFailed, advice: copy.addFailedAdvice, fields };
    return refuse("user", refusal, { status: 503 });
  }
}

/** The one response that holds a temporary password. It answers a POST, so nothing stores it. */
function issue({ email, fullName, temporaryPassword, expiresAt }: IssuedPassword, message: string) {
  return data({ kind: "issued" as const, message, email, fullName, temporaryPassword, expiresAt });
}

function toRefusal({ error }: Refused, message: string) {
  if (error === "unauthorized") return seeOther(paths.unauthorized);
  if (error === "unknown-account") return report("user-gone", paths.users);
  return refuse("user", { message, advice: copy.protections[error] }, { status: 409 });
}
