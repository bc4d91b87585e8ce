import { data } from "@remix-run/node";
import { z } from "zod";
import { userMessages as copy } from "~/content/users";
import { emailField, parseForm, textField, type FieldErrors, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { createUserManagement, IssuedPassword } from "~/services/accounts/user-management.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { refuse, type Refusal } from "./action-result.server";
import { seeOther } from "./redirects.server";
import { getRequestOrigin, logError } from "./request-context.server";

const newUser = z.object({
  email: emailField({ label: "the email address" }),
  fullName: textField({ label: "the full name", max: 200, required: true }),
});

/** What an action on users answers: a temporary password in clear, or a refusal. */
export type UsersAnswer = IssuedAnswer | RefusedUser;

export interface IssuedAnswer extends Omit<IssuedPassword, "ok"> {
  readonly kind: "issued";
  /** What it answers. */
  readonly intent: "add" | "reissue";
}

interface RefusedUser extends Refusal<"user"> {
  /** The fields of a new user as typed; undefined when another action was refused. */
  readonly fields?: {
    readonly values: z.infer<typeof newUser>;
    readonly errors: FieldErrors<keyof z.infer<typeof newUser>>;
  };
}

type UserManagement = Pick<ReturnType<typeof createUserManagement>, "addAccount">;

/** Adds a user by the form of UserManagementPanel. */
export async function addUser(
  userManagement: UserManagement,
  form: FormValues,
  request: Request,
  operator: SignedIn,
) {
  const parsed = parseForm(newUser, form);
  if (!parsed.ok) {
    const { email = "", fullName = "" } = parsed.values;
    const isMissing = email.trim() === "" || fullName.trim() === "";
    const message = isMissing ? copy.missing : copy.createFailed;
    return refuse("user", { message, fields: { values: { email, fullName }, errors: parsed.errors } });
  }
  const fields = { values: parsed.value, errors: {} };
  try {
    const outcome = await userManagement.addAccount(operator, parsed.value, getRequestOrigin(request));
    if (outcome.ok) return showPassword(outcome, "add");
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
export function showPassword(issued: IssuedPassword, intent: IssuedAnswer["intent"]) {
  const { email, fullName, temporaryPassword, expiresAt } = issued;
  return data<IssuedAnswer>({ kind: "issued", intent, email, fullName, temporaryPassword, expiresAt });
}
