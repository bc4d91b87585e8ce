import { data } from "@remix-run/node";
import { readForm } from "~/form-data.server";
import { adminPathFrom } from "~/lib/admin-path";
import { typed } from "~/lib/parse-form";
import { messages } from "~/messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { requestId } from "~/request-context.server";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { access, logIn, pendingLoginCookie, sessionCookie } from "~/services/container.server";
import { serverBridge } from "../../../server/bridge";

/** Signs in and leads to the page that says so; whatever goes wrong, the address comes back and the password does not. */
export async function submitLogin(request: Request) {
  // remix-auth reads the form by itself: this copy tells a broken body (400) from a wrong password, and keeps the address.
  const { email = "" } = typed(await readForm(request.clone()));
  const refuse = (message: string, init: { status: number; headers?: Record<string, string> }) =>
    data({ message, email }, init);

  try {
    const outcome = await logIn(request);
    const redirectTo = adminPathFrom(new URL(request.url).searchParams.getAll("redirectTo"));
    if (outcome.ok) {
      await access.signOut(request);
      return seeOther(`${paths.login}?${new URLSearchParams({ notice: "signed-in", redirectTo })}`, {
        "Set-Cookie": await sessionCookie.issue(outcome.sessionId),
      });
    }
    if (outcome.error === "code-needed") {
      return seeOther(`${paths.loginCode}?${new URLSearchParams({ redirectTo })}`, {
        "Set-Cookie": await pendingLoginCookie.issue(outcome.pending),
      });
    }
    if (outcome.error === "busy") {
      const headers = { "Retry-After": String(BUSY_RETRY_SECONDS) };
      return refuse(messages.login.serviceFailed, { status: 503, headers });
    }
    if (outcome.error === "throttled") {
      return refuse(messages.login.invalid, {
        status: 429,
        headers: { "Retry-After": String(outcome.retryAfterSeconds) },
      });
    }
    return refuse(messages.login.invalid, { status: 400 });
  } catch (err) {
    if (err instanceof Response) throw err;
    serverBridge().logger.error({ err, id: requestId() }, "the login failed");
    return refuse(messages.login.unexpected, { status: 500 });
  }
}
