import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { CodeField } from "~/components/code-field";
import { keepForm } from "~/components/keep-form";
import { RefusalBanner } from "~/components/notice";
import { TextLink } from "~/components/text-link";
import { Button } from "~/components/ui/button";
import { FieldSet } from "~/components/ui/field";
import { backOfficeTitle } from "~/components/use-brand";
import { messages } from "~/content/messages";
import type { NoticeCode } from "~/content/notices";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { refuse, report } from "~/http/action-result.server";
import { withForm } from "~/http/form-data.server";
import { linkTo } from "~/http/list-state";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { logError } from "~/http/request-context.server";
import { paths } from "~/paths";
import { LoginError } from "~/services/access/login-error";
import { access, accounts, authenticator, pendingLoginStorage } from "~/services/container.server";

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Available only between the password and the code; reveals nothing about the account. */
export async function loader({ request }: LoaderFunctionArgs) {
  const session = await pendingLoginStorage.getSession(request.headers.get("Cookie"));
  if (!(await accounts.isPending(session.get("pendingLogin")))) return toLogin(request);
  return { redirectTo: getReturnPath(request), usesRecoveryCode: asksForRecoveryCode(request) };
}

/** Verifies the code and signs in with a new session; removes the cookie of the first step (C5). */
export async function action({ request }: ActionFunctionArgs) {
  try {
    const login = await authenticator.authenticate("second-factor", withForm(request));
    if (login.needsCode) return toLogin(request, "login-over");
    return redirectSignedIn(request, await access.signIn(request, login));
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    return refuseCode(request, error);
  }
}

/** Turns a failed second step into the form's sentence and status, or sends back to the first step. */
function refuseCode(request: Request, { code, retryAfterSeconds, cause }: LoginError) {
  const usesRecoveryCode = asksForRecoveryCode(request);
  switch (code) {
    case "missing-code": {
      const error = usesRecoveryCode ? copy.missingRecoveryCode : copy.missingCode;
      return refuse("code", { message: copy.wrongCode, error });
    }
    case "wrong-code": {
      const error = usesRecoveryCode ? copy.wrongRecoveryCodeAdvice : copy.wrongCodeAdvice;
      return refuse("code", { message: copy.wrongCode, error });
    }
    case "throttled": {
      const advice = copy.atLogin.tooManyAdvice(retryAfterSeconds ?? 0);
      return refuse("code", { message: copy.tooMany, advice }, { status: 429, retryAfterSeconds });
    }
    case "unavailable":
      logError(cause, "the login failed");
      return refuse("code", { message: messages.login.serviceFailed }, { status: 503, retryAfterSeconds });
    case "failed":
      logError(cause, "the login failed");
      return refuse("code", { message: messages.login.unexpected }, { status: 500 });
    default:
      return toLogin(request, "login-over");
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

async function redirectSignedIn(request: Request, sessionCookie: string): Promise<Response> {
  const search = new URLSearchParams({ notice: "signed-in", redirectTo: getReturnPath(request) });
  const response = seeOther(`${paths.login}?${search}`, { "Set-Cookie": sessionCookie });
  const pending = await pendingLoginStorage.getSession(request.headers.get("Cookie"));
  response.headers.append("Set-Cookie", await pendingLoginStorage.destroySession(pending));
  return response;
}

/** The second step of a login. */
export default function LoginCode() {
  const { redirectTo, usesRecoveryCode } = useLoaderData<typeof loader>();
  return (
    <CenteredCardLayout
      title={copy.title}
      description={usesRecoveryCode ? copy.atLogin.explainsRecovery : copy.atLogin.explains}
      footer={
        <>
          {copy.atLogin.help}{" "}
          <TextLink to={linkTo(paths.login, { redirectTo })}>{copy.atLogin.startAgain}</TextLink>
        </>
      }
    >
      {/* The key changes with the kind of code, which empties the field. */}
      <CodeForm key={String(usesRecoveryCode)} usesRecoveryCode={usesRecoveryCode} />
      <p>
        <TextLink
          to={linkTo(paths.loginCode, { redirectTo, use: usesRecoveryCode ? undefined : "recovery-code" })}
          replace
        >
          {usesRecoveryCode ? copy.atLogin.useCode : copy.atLogin.useRecoveryCode}
        </TextLink>
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
      {answer && !submitting ? <RefusalBanner refusal={answer} /> : null}
      <Form ref={form} method="post">
        <FieldSet disabled={submitting} className="gap-5">
          <CodeField
            size="lg"
            kind={usesRecoveryCode ? "any" : "authentication"}
            label={usesRecoveryCode ? copy.recoveryCode : copy.code}
            error={answer && "error" in answer ? answer.error : undefined}
            // The page's only task.
            autoFocus
          />
          <Button size="lg" type="submit" className="w-full">
            {submitting ? "Logging in..." : "Login"}
          </Button>
        </FieldSet>
      </Form>
    </>
  );
}
