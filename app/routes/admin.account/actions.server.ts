import { z } from "zod";
import { accountMessages } from "~/content/account";
import { passwordMessages } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { toAdminPath } from "~/lib/admin-path";
import { emailField, firstValues, parseForm, textField, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { accounts, emailChanges } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const copy = accountMessages.email;

/** Handles the forms of one's own account, by intent. */
export async function actOnAccount(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", timeZone = "", returnTo } = firstValues(form);
  switch (intent) {
    case "name":
      return changeName(request, operator, form);
    case "email":
      return requestEmailChange(request, operator, form);
    case "withdraw-email": {
      const isWithdrawn = await emailChanges.withdraw(operator, getRequestOrigin(request));
      return report(isWithdrawn ? "email-change-withdrawn" : "email-change-gone", paths.account);
    }
    case "time-zone": {
      if (!(await accounts.chooseTimeZone(operator, timeZone))) {
        return refuseAccount("time-zone", { errors: { timeZone: accountMessages.timeZone.problem } });
      }
      // The frame's offer sends `returnTo`: that screen then shows the zone.
      return returnTo === undefined
        ? report("time-zone-saved", paths.account)
        : seeOther(toAdminPath([returnTo]));
    }
    default:
      return seeOther(paths.account);
  }
}

const nameSchema = z.object({ fullName: textField({ label: "your name", max: 200, required: true }) });

async function changeName(request: Request, operator: SignedIn, form: FormValues) {
  const parsed = parseForm(nameSchema, form);
  if (!parsed.ok) return refuseAccount("name", parsed);
  await accounts.changeName(operator, parsed.value.fullName, getRequestOrigin(request));
  return report("name-saved", paths.account);
}

/** The password is taken as typed: never trimmed, never echoed. */
const emailSchema = z.object({
  email: emailField({ label: "your new address" }),
  password: z.string(copy.passwordMissing).min(1, copy.passwordMissing),
});

async function requestEmailChange(request: Request, operator: SignedIn, form: FormValues) {
  const parsed = parseForm(emailSchema, form);
  const message = copy.notAsked;
  if (!parsed.ok) {
    const { email = "" } = parsed.values;
    return refuseAccount("email", { message, errors: parsed.errors, values: { email } });
  }
  const { email, password } = parsed.value;
  const values = { email };
  try {
    const outcome = await emailChanges.request(operator, { email, password }, getRequestOrigin(request));
    if (outcome.ok) {
      const isSent = outcome.delivery.kind !== "refused" && outcome.delivery.kind !== "not-sent";
      return report(isSent ? "email-change-requested" : "email-change-not-sent", paths.account);
    }
    switch (outcome.error) {
      case "wrong-password":
        return refuseAccount("email", { message, values, errors: { password: copy.passwordWrong } });
      case "throttled": {
        const { retryAfterSeconds } = outcome;
        const advice = copy.throttled(retryAfterSeconds);
        return refuseAccount("email", { message, advice, values }, { status: 429, retryAfterSeconds });
      }
      case "busy": {
        const options = { status: 503, retryAfterSeconds: BUSY_RETRY_SECONDS };
        return refuseAccount("email", { message, advice: passwordMessages.busy, values }, options);
      }
      case "signed-out":
        return report("no-user", paths.login, { redirectTo: paths.account });
      default: {
        const errors = { email: copy.refusals[outcome.error] };
        return refuseAccount("email", { message, values, errors }, { status: 409 });
      }
    }
  } catch (err) {
    logError(err, "a change of an address could not be started");
    return refuseAccount("email", { message: copy.failed, values }, { status: 503 });
  }
}

interface AccountRefusal {
  readonly message?: string;
  readonly advice?: string;
  readonly errors?: Partial<Record<"fullName" | "email" | "password" | "timeZone", string>>;
  readonly values?: Partial<Record<"fullName" | "email", string>>;
}

/** Refuses one of the screen's forms, with what was typed in it but the password. */
function refuseAccount(
  form: "name" | "email" | "time-zone",
  { message, advice, errors = {}, values = {} }: AccountRefusal,
  options: { status?: number; retryAfterSeconds?: number } = {},
) {
  const { fullName, email } = values;
  return refuse(form, { message, advice, errors, values: { fullName, email } }, options);
}
