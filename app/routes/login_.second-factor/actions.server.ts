import { messages } from "~/content/messages";
import type { NoticeCode } from "~/content/notices";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, accounts, pendingLoginCookie, sessionCookie } from "~/services/container.server";

/** Verifies the code and signs in with a new session; removes the cookie of the first step (C5). */
export async function submitCode(request: Request) {
  const { code = "" } = typed(await readForm(request));
  const usesRecoveryCode = asksForRecoveryCode(request);
  if (code.trim() === "") {
    const error = usesRecoveryCode ? copy.missingRecoveryCode : copy.missingCode;
    return refuseCode({ message: copy.wrongCode, error });
  }
  try {
    const token = await pendingLoginCookie.read(request);
    const outcome = token ? await accounts.enterCode(token, code, getRequestOrigin(request)) : OVER;
    if (outcome.ok) return await redirectSignedIn(request, outcome.sessionId);
    if (outcome.error === "over") return toLogin(request, "login-over");
    if (outcome.error === "throttled") {
      const { retryAfterSeconds } = outcome;
      const advice = copy.atLogin.tooManyAdvice(retryAfterSeconds);
      return refuseCode({ message: copy.tooMany, advice }, { status: 429, retryAfterSeconds });
    }
    const error = usesRecoveryCode ? copy.wrongRecoveryCodeAdvice : copy.wrongCodeAdvice;
    return refuseCode({ message: copy.wrongCode, error });
  } catch (err) {
    logError(err, "the login failed");
    return refuseCode({ message: messages.login.unexpected }, { status: 500 });
  }
}

const OVER = { ok: false, error: "over" } as const;

/** @param detail.error the error of the code. */
function refuseCode(
  detail: { message: string; advice?: string; error?: string },
  options?: { status: number; retryAfterSeconds?: number },
) {
  return refuse("code", detail, options);
}

/** Returns whether the page asks for a recovery code; it accepts either kind. */
export function asksForRecoveryCode(request: Request): boolean {
  return new URL(request.url).searchParams.get("use") === "recovery-code";
}

/** Redirects to the first login page, which keeps the requested address. */
export function toLogin(request: Request, notice?: NoticeCode): Response {
  return report(notice, paths.login, { redirectTo: getReturnPath(request) });
}

async function redirectSignedIn(request: Request, sessionId: string): Promise<Response> {
  await access.signOut(request);
  const search = new URLSearchParams({ notice: "signed-in", redirectTo: getReturnPath(request) });
  const response = seeOther(`${paths.login}?${search}`, {
    "Set-Cookie": await sessionCookie.issue(sessionId),
  });
  response.headers.append("Set-Cookie", await pendingLoginCookie.clear());
  return response;
}
