import { data } from "@remix-run/node";
import { messages } from "~/content/messages";
import { report } from "~/http/action-result.server";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { requestId } from "~/http/request-context.server";
import { paths } from "~/paths";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { access, logIn, pendingLoginCookie, sessionCookie } from "~/services/container.server";
import { serverBridge } from "../../../server/bridge";

/** Signs in and leads to the page that says so; whatever goes wrong, the address comes back and the password does not. */
export async function submitLogin(request: Request) {
  const outcome = await logIn(request);
  const refuse = (message: string, init: { status: number; headers?: Record<string, string> }) =>
    data({ message, email: outcome.email }, init);
  const redirectTo = getReturnPath(request);

  if (outcome.ok) {
    await access.signOut(request);
    return seeOther(`${paths.login}?${new URLSearchParams({ notice: "signed-in", redirectTo })}`, {
      "Set-Cookie": await sessionCookie.issue(outcome.sessionId),
    });
  }
  switch (outcome.error) {
    case "code-needed":
      return report(
        undefined,
        paths.loginCode,
        { redirectTo },
        {
          "Set-Cookie": await pendingLoginCookie.issue(outcome.pending),
        },
      );
    case "busy":
      return refuse(messages.login.serviceFailed, {
        status: 503,
        headers: { "Retry-After": String(BUSY_RETRY_SECONDS) },
      });
    case "throttled":
      return refuse(messages.login.invalid, {
        status: 429,
        headers: { "Retry-After": String(outcome.retryAfterSeconds) },
      });
    case "failed":
      serverBridge().logger.error({ err: outcome.cause, id: requestId() }, "the login failed");
      return refuse(messages.login.unexpected, { status: 500 });
    default:
      return refuse(messages.login.invalid, { status: 400 });
  }
}
