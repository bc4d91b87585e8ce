import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { CodeField } from "~/components/code-field";
import { RefusalBanner } from "~/components/notice";
import { TextLink } from "~/components/text-link";
import { Button } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { linkTo } from "~/http/list-state";
import { getReturnPath } from "~/http/redirects.server";
import { paths } from "~/paths";
import { accounts, pendingLoginCookie } from "~/services/container.server";
import { asksForRecoveryCode, submitCode, toLogin } from "./actions.server";

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Available only between the password and the code; reveals nothing about the account. */
export async function loader({ request }: LoaderFunctionArgs) {
  const token = await pendingLoginCookie.read(request);
  if (!token || !(await accounts.isPending(token))) return toLogin(request);
  return { redirectTo: getReturnPath(request), usesRecoveryCode: asksForRecoveryCode(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  return submitCode(request);
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
            error={answer?.error}
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
