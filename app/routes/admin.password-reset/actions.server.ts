import { z } from "zod";
import { passwordMessages as copy } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { getRequestOrigin, getRequestId, logError } from "~/http/request-context.server";
import { paths } from "~/paths";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { accounts, passwordPolicy, sessionCookie } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

const { fields } = copy;
const problems = copy.problems(passwordPolicy.minLength);

type Errors = Partial<Record<"current" | "next" | "confirm", string>>;

/** Treats a missing or repeated field as empty. Passwords are taken as typed: never trimmed, never echoed. */
const typedPassword = z.string().catch("");
const formSchema = z.object({ current: typedPassword, next: typedPassword, confirm: typedPassword });

/**
 * Changes the account's own password and replaces the session's id in this browser. After a temporary
 * password, continues to the page that was requested.
 */
export async function submitPasswordChange(person: SignedIn, request: Request) {
  const form = formSchema.parse(await readForm(request));
  const errors: Errors = {};
  if (form.current === "") errors.current = fields["current-missing"];
  if (form.next === "") errors.next = fields["next-missing"];
  if (form.confirm === "") errors.confirm = fields["confirm-missing"];
  if (Object.keys(errors).length > 0) return refuseFields(errors);
  if (form.next !== form.confirm) return refuseFields({ confirm: fields["confirm-differs"] }, copy.mismatch);

  try {
    const outcome = await accounts.changePassword(person, form, getRequestOrigin(request));
    if (outcome.ok) {
      serverBridge().logger.info({ id: getRequestId() }, copy.endpoint.updated);
      const headers = { "Set-Cookie": await sessionCookie.issue(outcome.sessionId) };
      if (!person.passwordIsTemporary) return report("password-changed", paths.passwordReset, {}, headers);
      const path = getReturnPath(request);
      return seeOther(`${path}${path.includes("?") ? "&" : "?"}notice=welcome`, headers);
    }
    switch (outcome.error) {
      case "signed-out":
        return redirectToLogin();
      case "wrong-password":
        return refuseFields({ current: fields["current-wrong"] });
      case "same-password":
        return refuseFields({ next: fields["next-same"] });
      case "throttled":
        return refuseForNow(copy.throttled, 429, outcome.retryAfterSeconds);
      case "busy":
        return refuseForNow(copy.busy, 503, BUSY_RETRY_SECONDS);
      default:
        return refuseFields({ next: problems[outcome.error] });
    }
  } catch (err) {
    logError(err, copy.endpoint.notUpdated);
    return refuse("password", { message: copy.exception, errors: {} as Errors }, { status: 500 });
  }
}

/** Redirects to the login, which says that nobody is logged in (specification, section 5) and returns here. */
export function redirectToLogin(): Response {
  return report("no-user", paths.login, { redirectTo: paths.passwordReset });
}

function refuseFields(errors: Errors, message: string = copy.failed) {
  return refuse("password", { message, errors });
}

/** Refuses a form that had no error, with the account endpoint's message. */
function refuseForNow(advice: string, status: number, retryAfterSeconds: number) {
  const refusal = { message: copy.endpoint.notUpdated, advice, errors: {} as Errors };
  return refuse("password", refusal, { status, retryAfterSeconds });
}
