import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { CodeField } from "~/components/code-field";
import { keepForm } from "~/components/keep-form";
import { RefusalBanner } from "~/components/notice";
import { TextLink } from "~/components/text-link";
import { Button } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { messages } from "~/content/messages";
import type { NoticeCode } from "~/content/notices";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo } from "~/http/list-state";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, accounts, pendingLoginCookie, sessionCookie } from "~/services/container.server";

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Available only between the password and the code; reveals nothing about the account. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!(await accounts.isPending(await pendingLoginCookie.read(request)))) return toLogin(request);
  return { redirectTo: getReturnPath(request), usesRecoveryCode: asksForRecoveryCode(request) };
}

/** Verifies the code and signs in with a new session; removes the cookie of the first step (C5). */
export async function action({ request }: ActionFunctionArgs) {
  const { code = "" } = typed(await readForm(request));
  const usesRecoveryCode = asksForRecoveryCode(request);
  if (code.trim() === "") {
    const error = usesRecoveryCode ? copy.missingRecoveryCode : copy.missingCode;
    return refuse("code", { message: copy.wrongCode, error });
  }
  try {
    const token = await pendingLoginCookie.read(request);
    const outcome = await accounts.enterCode(token, code, getRequestOrigin(request));
    if (outcome.ok) return await redirectSignedIn(request, outcome.sessionId);
    if (outcome.error === "over") return toLogin(request, "login-over");
    if (outcome.error === "throttled") {
      const { retryAfterSeconds } = outcome;
      const advice = copy.atLogin.tooManyAdvice(retryAfterSeconds);
      return refuse("code", { message: copy.tooMany, advice }, { status: 429, retryAfterSeconds });
    }
    const error = usesRecoveryCode ? copy.wrongRecoveryCodeAdvice : copy.wrongCodeAdvice;
    return refuse("code", { message: copy.wrongCode, error });
  } catch (err) {
    logError(err, "the login failed");
    return isDatabaseUnavailable(err)
      ? refuse("code", { message: messages.login.serviceFailed }, { status: 503 })
      : refuse("code", { message: messages.login.unexpected }, { status: 500 });
  }
}

export const clientAction = keepForm(() => ({ form: "code", message: messages.login.serviceFailed }));

/** Returns whether the page asks for a recovery code; it accepts either kind. */
function asksForRecoveryCode(request: Request): boolean {
  return new URL(request.url).searchParams.get("use") === "recovery-code";
}

/** Redirects to the first login page, which keeps the requested address. */
function toLogin(request: Request, notice?: NoticeCode): Response {
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

/** The second step of a login. */
export default function LoginCode() {
  const { redirectTo, usesRecoveryCode } = useLoaderData<typeof loader>();
  return (
    <CenteredCardLayout title={copy.title}>
      <p className="mt-3 text-muted-foreground">
        {usesRecoveryCode ? copy.atLogin.explainsRecovery : copy.atLogin.explains}
      </p>
      {/* The key changes with the kind of code, which empties the field. */}
      <CodeForm key={String(usesRecoveryCode)} usesRecoveryCode={usesRecoveryCode} />
      <p className="mt-4">
        <TextLink
          to={linkTo(paths.loginCode, { redirectTo, use: usesRecoveryCode ? undefined : "recovery-code" })}
          replace
        >
          {usesRecoveryCode ? copy.atLogin.useCode : copy.atLogin.useRecoveryCode}
        </TextLink>
      </p>
      <p className="mt-6 border-t pt-5 text-xs text-muted-foreground">
        {copy.atLogin.help}{" "}
        <TextLink to={linkTo(paths.login, { redirectTo })}>{copy.atLogin.startAgain}</TextLink>
      </p>
    </CenteredCardLayout>
  );
}

function CodeForm({ usesRecoveryCode }: { usesRecoveryCode: boolean }) {
  const answer = useActionData<typeof action>();
  const submitting = useNavigation().formMethod === "POST";
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (answer) form.current?.querySelector("input")?.select();
  }, [answer]);

  return (
    <>
      {answer && !submitting ? <RefusalBanner refusal={answer} className="mt-5" /> : null}
      <Form ref={form} method="post" className="mt-5">
        <fieldset disabled={submitting} className="flex flex-col gap-5">
          <CodeField
            kind={usesRecoveryCode ? "any" : "authentication"}
            label={usesRecoveryCode ? copy.recoveryCode : copy.code}
            error={answer && "error" in answer ? answer.error : undefined}
            // The page's only task.
            autoFocus
          />
          <Button type="submit" className="w-full">
            {submitting ? "Logging in..." : "Login"}
          </Button>
        </fieldset>
      </Form>
    </>
  );
}
