import { messages } from "~/content/messages";
import { refuse } from "~/http/action-result.server";
import { linkTo } from "~/http/list-state";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { logError } from "~/http/request-context.server";
import { paths } from "~/paths";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { access, logIn, pendingLoginCookie, sessionCookie } from "~/services/container.server";

/** Signs in and redirects to the success page. After a failure it returns the address, never the password. */
export async function submitLogin(request: Request) {
  const outcome = await logIn(request);
  const redirectTo = getReturnPath(request);
  const refuseLogin = (message: string, status: number, retryAfterSeconds?: number) =>
    refuse("login", { message, email: outcome.email }, { status, retryAfterSeconds });

  if (outcome.ok) {
    await access.signOut(request);
    return seeOther(`${paths.login}?${new URLSearchParams({ notice: "signed-in", redirectTo })}`, {
      "Set-Cookie": await sessionCookie.issue(outcome.sessionId),
    });
  }
  switch (outcome.error) {
    case "code-needed":
      return seeOther(linkTo(paths.loginCode, { redirectTo }), {
        "Set-Cookie": await pendingLoginCookie.issue(outcome.pending),
      });
    case "busy":
      return refuseLogin(messages.login.serviceFailed, 503, BUSY_RETRY_SECONDS);
    case "throttled":
      return refuseLogin(messages.login.invalid, 429, outcome.retryAfterSeconds);
    case "failed":
      logError(outcome.cause, "the login failed");
      return refuseLogin(messages.login.unexpected, 500);
    default:
      return refuseLogin(messages.login.invalid, 400);
  }
}
