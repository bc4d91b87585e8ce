import type {
  ActionFunctionArgs,
  HeadersFunction,
  LoaderFunctionArgs,
  LinksFunction,
  MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { Notice } from "~/components/notice";
import { Stage } from "~/components/stage";
import { forgetUser, useUserMirror } from "~/components/user-mirror";
import { adminPathFrom } from "~/lib/admin-path";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";
import { serifPreload } from "~/fonts/serif-preload";
import { submitLogin } from "./actions.server";
import { LoginForm } from "./login-form";
import { SignedIn } from "./signed-in";

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title("Login") }];

/** Lets Retry-After through to documents. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Whoever is signed in goes on, at once or, just after the login, with a word about it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const person = await access.visitor(request);
  if (!person) return { user: undefined, next: paths.admin };
  const next = adminPathFrom(search.getAll("redirectTo"));
  if (search.get("notice") !== "signed-in") return seeOther(next);
  const { email, fullName, role } = person;
  return { user: { email, fullName, role }, next };
}

export async function action({ request }: ActionFunctionArgs) {
  return submitLogin(request);
}

export default function Login() {
  const { user, next } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { revalidate } = useRevalidator();
  const isSignedOut = !user;

  useEffect(() => {
    if (isSignedOut) forgetUser();
  }, [isSignedOut]);
  useUserMirror(revalidate);

  return (
    <Stage>
      <section className="w-full max-w-sm rounded-lg border bg-surface p-6 shadow-float sm:p-8">
        <h1 className="font-display text-2xl tracking-tight">Admin Login</h1>
        {user || answer ? null : (
          <>
            <Notice only={["no-user"]} className="mt-5">
              . {operatorMessages.password.signedOut}
            </Notice>
            <Notice only={["login-over", "session-timeout"]} className="mt-5" />
          </>
        )}
        {user ? <SignedIn user={user} next={next} /> : <LoginForm answer={answer} />}
      </section>
    </Stage>
  );
}
