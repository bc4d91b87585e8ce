import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { FormField } from "~/components/form-field";
import { keepForm } from "~/components/keep-form";
import { Notice, RefusalBanner, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SideNotes } from "~/components/side-notes";
import { TextLink } from "~/components/text-link";
import { Button } from "~/components/ui/button";
import { Card, CardContent } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { backOfficeTitle } from "~/components/use-brand";
import { passwordMessages as copy } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo } from "~/http/list-state";
import { AS_DOCUMENT, getReturnPath } from "~/http/redirects.server";
import { getLogger, getRequestId, getRequestOrigin, logError } from "~/http/request-context.server";
import { parseForm, type FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import { LoginError } from "~/services/access/login-error";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { access, accounts, passwordPolicy } from "~/services/container.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "Reset Password") }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Allows a temporary password too: this is the page that replaces it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireUser(request);
  const { email, passwordIsTemporary } = operator;
  return {
    email,
    passwordIsTemporary,
    // After a forced change the form leads to the requested page; after a voluntary one it stays here.
    formAction: linkTo(paths.passwordReset, {
      redirectTo: passwordIsTemporary ? getReturnPath(request) : undefined,
    }),
    lengths: { min: passwordPolicy.minLength, max: passwordPolicy.maxLength },
  };
}

/** Passwords are taken as typed: never trimmed, never echoed. */
const password = (missing: string) => z.string(missing).min(1, missing);
const formSchema = z.object({
  currentPassword: password(copy.fields["current-missing"]),
  newPassword: password(copy.fields["next-missing"]),
  confirmPassword: password(copy.fields["confirm-missing"]),
});
type Errors = FieldErrors<keyof z.infer<typeof formSchema>>;

/**
 * Changes the account's own password and replaces the session's id in this browser. After a temporary
 * password, continues to the page that was requested.
 */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.getUser(request);
  if (!operator) return redirectToLogin();
  const parsed = parseForm(formSchema, await readForm(request));
  if (!parsed.ok) return refuseFields(parsed.errors);
  const form = parsed.value;
  if (form.newPassword !== form.confirmPassword)
    return refuseFields({ confirmPassword: copy.fields["confirm-differs"] }, copy.mismatch);

  try {
    const change = { current: form.currentPassword, next: form.newPassword };
    const outcome = await accounts.changePassword(operator, change, getRequestOrigin(request));
    if (outcome.ok) {
      getLogger().info({ id: getRequestId() }, copy.endpoint.updated);
      const headers = { "Set-Cookie": await access.signIn(request, outcome.account) };
      if (!operator.passwordIsTemporary) return report("password-changed", paths.passwordReset, {}, headers);
      return report("welcome", getReturnPath(request), {}, { ...headers, ...AS_DOCUMENT });
    }
    switch (outcome.error) {
      case "signed-out":
        return redirectToLogin();
      case "wrong-password":
        return refuseFields({ currentPassword: copy.fields["current-wrong"] });
      case "same-password":
        return refuseFields({ newPassword: copy.fields["next-same"] });
      case "throttled":
        return refuseForNow(copy.throttled, 429, outcome.retryAfterSeconds);
      case "busy":
        return refuseForNow(copy.busy, 503, BUSY_RETRY_SECONDS);
      default:
        return refuseFields({ newPassword: copy.problems(passwordPolicy.minLength)[outcome.error] });
    }
  } catch (err) {
    if (err instanceof LoginError) {
      // The password was changed, and no session could be started with it.
      if (err.cause !== undefined) logError(err.cause, "the login failed");
      return redirectToLogin();
    }
    logError(err, copy.endpoint.notUpdated);
    return refuse("password", { message: copy.exception, errors: {} as Errors }, { status: 500 });
  }
}

export const clientAction = keepForm(() => ({ form: "password", message: copy.exception }));

/** Redirects to the login, which says that nobody is logged in (specification, section 5) and returns here. */
function redirectToLogin(): Response {
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

export default function ResetPassword() {
  const { email, passwordIsTemporary } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Reset Password"
        state={
          passwordIsTemporary ? (
            copy.temporary
          ) : (
            <>
              For the account <bdi>{email}</bdi>.
            </>
          )
        }
      />
      {/* A refusal is shown in the form. */}
      <Notice only={["password-changed"]} form="none" className="mb-6 max-w-4xl">
        .{" "}
        <TextLink to={paths.dashboard} className="font-medium">
          Go to the dashboard
        </TextLink>
      </Notice>
      <div className="grid max-w-4xl items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:gap-10">
        <PasswordForm />
        <SideNotes id="what-happens" title="What happens">
          <li>
            Every other browser is logged out of this account. This one stays logged in.
            {passwordIsTemporary ? null : (
              <>
                {" "}
                <TextLink to={paths.sessions}>See where you are logged in</TextLink>.
              </>
            )}
          </li>
          <li>Only a hash of the password is kept. Nobody can read it, and no email contains it.</li>
          <li>
            A few words you can remember are harder to guess than a short string of symbols. The most common
            passwords and the product's name are refused, because attackers try them first.
          </li>
        </SideNotes>
      </div>
    </>
  );
}

const SUMMARY_ID = "password-summary";

const FIELDS = [
  { name: "currentPassword", label: "Current Password", autoComplete: "current-password" },
  { name: "newPassword", label: "New Password", autoComplete: "new-password" },
  { name: "confirmPassword", label: "Confirm New Password", autoComplete: "new-password" },
] as const;

function PasswordForm() {
  const { email, formAction, lengths } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const busy = useNavigation().formAction === formAction;
  const form = useRef<HTMLFormElement>(null);
  const changed = useNotice(["password-changed"]);
  const { key } = useLocation();

  useEffect(() => {
    if (changed) form.current?.reset();
  }, [changed, key]);

  return (
    <Card>
      <CardContent className="flex flex-col gap-5 sm:p-6">
        {answer && !busy ? (
          <div id={SUMMARY_ID}>
            <RefusalBanner refusal={answer} />
          </div>
        ) : null}
        <Form ref={form} method="post" action={formAction} className="flex flex-col gap-5">
          {/* For password managers, which store a password under its account. */}
          <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
          {FIELDS.map(({ name, label, autoComplete }) => (
            <FormField
              key={name}
              id={`password-${name}`}
              label={label}
              hint={name === "newPassword" ? copy.atLeast(lengths.min) : undefined}
              error={answer?.errors[name]}
            >
              {(control) => (
                <Input
                  {...control}
                  required
                  type="password"
                  name={name}
                  autoComplete={autoComplete}
                  maxLength={lengths.max}
                  minLength={name === "currentPassword" ? undefined : lengths.min}
                  // Ties the summary's message to the field that is at fault.
                  aria-describedby={
                    [answer?.errors[name] && SUMMARY_ID, control["aria-describedby"]]
                      .filter(Boolean)
                      .join(" ") || undefined
                  }
                />
              )}
            </FormField>
          ))}
          <Button type="submit" disabled={busy} className="self-start">
            {busy ? "Resetting..." : "Reset Password"}
          </Button>
        </Form>
      </CardContent>
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
