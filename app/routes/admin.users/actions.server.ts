import { data } from "@remix-run/node";
import { z } from "zod";
import { readForm } from "~/form-data.server";
import type { FormValues } from "~/lib/parse-form";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf, requestId } from "~/request-context.server";
import type { Issued, Reissuing, Removing, Resetting } from "~/services/accounts/user-management.server";
import { userManagement } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

const copy = operatorMessages.users;

const newUser = z.object({
  email: emailField({ label: "the email address" }),
  fullName: textField({ label: "the full name", max: 200, required: true }),
});
type NewUser = z.infer<typeof newUser>;

export type UsersAnswer =
  /** The one answer that holds a temporary password. It is the answer to a POST, which nothing stores. */
  | (Omit<Issued, "ok"> & { kind: "issued"; message: string })
  | {
      kind: "refused";
      message: string;
      advice?: string;
      /** What was typed into the form that was refused. */
      form?: { values: NewUser; errors: Partial<NewUser> };
    };

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
      return add(form, request, person);
  }
}

async function add(form: FormValues, request: Request, person: SignedIn) {
  const parsed = parseForm(newUser, form);
  if (!parsed.ok) {
    const { errors, values } = parsed;
    const { email = "", fullName = "" } = values;
    const isMissing = email.trim() === "" || fullName.trim() === "";
    const message = isMissing ? copy.missing : copy.createFailed;
    return refuse({ message, form: { values: { email, fullName }, errors } }, 422);
  }
  const values = parsed.value;
  try {
    const outcome = await userManagement.addAccount(person, values, originOf(request));
    if (outcome.ok) return issue(outcome, copy.created);
    if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
    const advice = copy.emailTaken(values.email);
    return refuse({ message: copy.createFailed, advice, form: { values, errors: {} } }, 409);
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "a user could not be added");
    const form = { values, errors: {} };
    return refuse({ message: copy.addFailed, advice: copy.addFailedAdvice, form }, 503);
  }
}

function reissued(outcome: Reissuing) {
  if (outcome.ok) return issue(outcome, copy.reissued);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return seeOther(`${paths.users}?notice=user-gone`);
  return refuse({ message: copy.reissueFailed, advice: copy.protections[outcome.error] }, 409);
}

function removed(outcome: Removing) {
  if (outcome.ok) return seeOther(`${paths.users}?notice=user-removed`);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return seeOther(`${paths.users}?notice=user-gone`);
  return refuse({ message: copy.cannotRemove, advice: copy.protections[outcome.error] }, 409);
}

function secondFactorReset(outcome: Resetting) {
  if (outcome.ok) return seeOther(`${paths.users}?notice=second-factor-reset`);
  if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
  if (outcome.error === "unknown-account") return seeOther(`${paths.users}?notice=user-gone`);
  const { failed } = operatorMessages.secondFactor;
  return refuse({ message: failed, advice: copy.protections[outcome.error] }, 409);
}

function issue({ email, fullName, temporaryPassword, expiresAt }: Issued, message: string) {
  return data<UsersAnswer>({ kind: "issued", message, email, fullName, temporaryPassword, expiresAt });
}

function refuse(answer: Omit<Extract<UsersAnswer, { kind: "refused" }>, "kind">, status: number) {
  return data<UsersAnswer>({ kind: "refused", ...answer }, { status });
}
