import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { FormField } from "~/components/form-field";
import { ArrowRight } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { FieldSet } from "~/components/ui/field";
import { Input } from "~/components/ui/input";
import { forgetUser, type MirroredUser, mirrorUser, useUserMirror } from "~/components/user-mirror";
import { backOfficeTitle } from "~/components/use-brand";
import { messages } from "~/content/messages";
import { passwordMessages } from "~/content/users";
import { refuse } from "~/http/action-result.server";
import { withForm } from "~/http/form-data.server";
import { linkTo } from "~/http/list-state";
import { AS_DOCUMENT, getReturnPath, seeOther } from "~/http/redirects.server";
import { logError } from "~/http/request-context.server";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { LoginError } from "~/services/access/login-error";
import { access, authenticator, pendingLoginStorage } from "~/services/container.server";

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "Login") }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Redirects a signed-in operator: at once, or just after the login with a success message first. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.getUser(request);
  if (!operator) return { user: undefined, next: paths.admin };
  const next = getReturnPath(request);
  if (new URL(request.url).searchParams.get("notice") !== "signed-in") return seeOther(next, AS_DOCUMENT);
  const { email, fullName, role } = operator;
  return { user: { email, fullName, role }, next };
}

/** Signs in and redirects to the success page. After a failure it returns the address, never the password. */
export async function action({ request }: ActionFunctionArgs) {
  const redirectTo = getReturnPath(request);
  try {
    const login = await authenticator.authenticate("password", withForm(request));
    if (login.needsCode) {
      const session = await pendingLoginStorage.getSession();
      session.set("pendingLogin", login);
      return seeOther(linkTo(paths.loginCode, { redirectTo }), {
        "Set-Cookie": await pendingLoginStorage.commitSession(session),
      });
    }
    return seeOther(`${paths.login}?${new URLSearchParams({ notice: "signed-in", redirectTo })}`, {
      "Set-Cookie": await access.signIn(request, login),
    });
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    return refuseLogin(error);
  }
}

/** Turns a failed login into the form's sentence and status. */
function refuseLogin({ code, email, retryAfterSeconds, cause }: LoginError) {
  const refuseWith = (message: string, status: number) =>
    refuse("login", { message, email }, { status, retryAfterSeconds });
  switch (code) {
    case "busy":
      return refuseWith(messages.login.serviceFailed, 503);
    // The sentence of a wrong password, so that neither is told from the other (specification, section 8).
    case "throttled":
      return refuseWith(messages.login.invalid, 429);
    case "unavailable":
      logError(cause, "the login failed");
      return refuseWith(messages.login.serviceFailed, 503);
    case "failed":
      logError(cause, "the login failed");
      return refuseWith(messages.login.unexpected, 500);
    default:
      return refuseWith(messages.login.invalid, 400);
  }
}

export const clientAction = keepForm(() => ({ form: "login", message: messages.login.serviceFailed }));

export default function Login() {
  const { user, next } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const isSignedOut = !user;

  useEffect(() => {
    if (isSignedOut) forgetUser();
  }, [isSignedOut]);
  useUserMirror();

  return (
    <CenteredCardLayout title="Admin Login" footer={user ? undefined : messages.login.help}>
      {user || answer ? null : (
        <>
          {/* The specification's sentence has no full stop. */}
          <Notice only={["no-user"]}>. {passwordMessages.signedOut}</Notice>
          <Notice only={["login-over", "session-timeout", "invitation-accepted"]} />
        </>
      )}
      {user ? <SignedIn user={user} next={next} /> : <LoginForm />}
    </CenteredCardLayout>
  );
}

/** Idle, submitting and error states (specification, section 4). Success is another page. */
function LoginForm() {
  const answer = useActionData<typeof action>();
  const submitting = useNavigation().formMethod === "POST";
  const password = useRef<HTMLInputElement>(null);
  // Editing hides the message; the next response is a new object and shows again.
  const [cleared, setCleared] = useState<typeof answer>();
  const message = answer === cleared ? undefined : answer?.message;

  useEffect(() => {
    if (answer) password.current?.select();
  }, [answer]);

  return (
    <>
      {message && !submitting ? <Banner kind="error">{message}</Banner> : null}
      <Form method="post" onInput={() => setCleared(answer)}>
        <FieldSet disabled={submitting} className="gap-5">
          <FormField label="Email">
            {(control) => (
              <Input
                size="lg"
                {...control}
                required
                name="email"
                type="email"
                maxLength={254}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                defaultValue={answer?.email}
              />
            )}
          </FormField>
          <FormField label="Password">
            {(control) => (
              <Input
                size="lg"
                {...control}
                required
                ref={password}
                name="password"
                type="password"
                maxLength={1000}
                autoComplete="current-password"
              />
            )}
          </FormField>
          <Button size="lg" type="submit" className="mt-1 w-full">
            {submitting ? "Logging in..." : "Login"}
          </Button>
        </FieldSet>
      </Form>
    </>
  );
}

/** Specification, section 9. Without JavaScript the page refreshes itself after whole seconds. */
const REDIRECT_AFTER_MS = seconds(1.5);
const REDIRECT_AFTER_WITHOUT_JS_S = 2;

/** Says that the login succeeded and continues by itself, to a path that the server has checked; it may be a file's. */
function SignedIn({ user, next }: { user: MirroredUser; next: string }) {
  const banner = useRef<HTMLDivElement>(null);

  useEffect(() => mirrorUser(user), [user]);
  useEffect(() => {
    // The form that had the focus is gone.
    banner.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => window.location.replace(next), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [next]);

  return (
    <>
      <noscript className="contents">
        <meta httpEquiv="refresh" content={`${REDIRECT_AFTER_WITHOUT_JS_S};url=${next}`} />
      </noscript>
      <Banner ref={banner} kind="success" className="outline-none">
        {messages.login.success}
      </Banner>
      <ButtonLink to={next} reloadDocument size="lg" className="w-full">
        Continue to the back office
        <ArrowRight aria-hidden />
      </ButtonLink>
      <p className="mt-6 border-t pt-5 text-xs wrap-anywhere text-muted-foreground">
        Signed in as <bdi>{user.email}</bdi>
      </p>
    </>
  );
}
