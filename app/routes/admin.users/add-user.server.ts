import { data } from "@remix-run/node";
import { z } from "zod";
import type { RefusedUser, UsersAnswer } from "~/components/user-management-panel";
import type { FormValues } from "~/lib/parse-form";
import { emailField, parseForm, textField } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { refuse } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin, getRequestId } from "~/http/request-context.server";
import type { Issued } from "~/services/accounts/user-management.server";
import { userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

const copy = operatorMessages.users;

const newUser = z.object({
  email: emailField({ label: "the email address" }),
  fullName: textField({ label: "the full name", max: 200, required: true }),
});

/** Adds a user, for User Management and its panel on the dashboard. */
export async function addUser(form: FormValues, request: Request, person: SignedIn) {
  const parsed = parseForm(newUser, form);
  if (!parsed.ok) {
    const { errors, values } = parsed;
    const { email = "", fullName = "" } = values;
    const isMissing = email.trim() === "" || fullName.trim() === "";
    const message = isMissing ? copy.missing : copy.createFailed;
    return refuseUser({ message, fields: { values: { email, fullName }, errors } }, 422);
  }
  const values = parsed.value;
  try {
    const outcome = await userManagement.addAccount(person, values, getRequestOrigin(request));
    if (outcome.ok) return issue(outcome, copy.created);
    if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
    const advice = copy.emailTaken(values.email);
    return refuseUser({ message: copy.createFailed, advice, fields: { values, errors: {} } }, 409);
  } catch (err) {
    serverBridge().logger.error({ err, id: getRequestId() }, "a user could not be added");
    const fields = { values, errors: {} };
    return refuseUser({ message: copy.addFailed, advice: copy.addFailedAdvice, fields }, 503);
  }
}

export function issue({ email, fullName, temporaryPassword, expiresAt }: Issued, message: string) {
  return data<UsersAnswer>({ kind: "issued", message, email, fullName, temporaryPassword, expiresAt });
}

export function refuseUser(refused: Omit<RefusedUser, "kind" | "form">, status: number) {
  return refuse("user", refused, { status });
}
