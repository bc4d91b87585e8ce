import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { adminPathFrom } from "~/lib/admin-path";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { access, passwordPolicy } from "~/services/container.server";
import { noUser, submitPasswordChange } from "./actions.server";
import { PasswordForm } from "./password-form";

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title("Reset Password") }];

/** Retry-After, when there were too many tries. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Open to a temporary password too: this is the page that ends it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAnyPassword(request);
  const { email, passwordIsTemporary } = person;
  return {
    email,
    passwordIsTemporary,
    // Where a forced change leads on to; a change of one's own accord stays here.
    formAction: passwordIsTemporary ? withReturnOf(request) : paths.passwordReset,
    lengths: { min: passwordPolicy.minLength, max: passwordPolicy.maxLength },
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.visitor(request);
  return person ? submitPasswordChange(person, request) : noUser();
}

function withReturnOf(request: Request): string {
  const redirectTo = adminPathFrom(new URL(request.url).searchParams.getAll("redirectTo"));
  return `${paths.passwordReset}?${new URLSearchParams({ redirectTo })}`;
}

export default function ResetPassword() {
  const { email, passwordIsTemporary, formAction, lengths } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageHeader
        title="Reset Password"
        state={
          passwordIsTemporary ? (
            operatorMessages.password.temporary
          ) : (
            <>
              For the account <bdi>{email}</bdi>.
            </>
          )
        }
      />
      <Notice only={["password-changed"]} className="mb-6 max-w-4xl">
        .{" "}
        <Link to={paths.dashboard} className="font-medium text-primary underline underline-offset-4">
          Go to the dashboard
        </Link>
      </Notice>
      <div className="grid max-w-4xl items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:gap-10">
        <PasswordForm email={email} action={formAction} lengths={lengths} answer={answer} />
        <aside aria-labelledby="what-happens" className="lg:pt-4">
          <h2 id="what-happens" className="text-sm font-semibold">
            What happens
          </h2>
          <ul className="mt-3 flex max-w-[60ch] list-none flex-col gap-3 text-sm text-muted-foreground">
            <li>
              Every other browser is logged out of this account. This one stays logged in.
              {passwordIsTemporary ? null : (
                <>
                  {" "}
                  <Link to={paths.sessions} className="text-primary underline underline-offset-4">
                    See where you are logged in
                  </Link>
                  .
                </>
              )}
            </li>
            <li>Only a hash of the password is kept. Nobody can read it, and no email contains it.</li>
            <li>
              A few words you can remember are harder to guess than a short string of symbols. Passwords
              everybody guesses first are refused: the most common ones and the product's name.
            </li>
          </ul>
        </aside>
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
