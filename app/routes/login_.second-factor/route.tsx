import type {
  ActionFunctionArgs,
  HeadersFunction,
  LoaderFunctionArgs,
  LinksFunction,
  MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { GuardedSpinner } from "~/components/guarded-spinner";
import { Stage } from "~/components/stage";
import { adminPathFrom } from "~/lib/admin-path";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { pendingLoginCookie, secondStep } from "~/services/container.server";
import { serifPreload } from "~/fonts/serif-preload";
import { asksForRecoveryCode, submitCode, toLogin } from "./actions.server";
import { CodeForm } from "./code-form";

const copy = operatorMessages.secondFactor.atLogin;
const LINK = "text-primary underline underline-offset-4";

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction = () => [
  { title: operatorMessages.backOffice.title(operatorMessages.secondFactor.title) },
];

/** Lets Retry-After through to documents. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Open only between the right password and the right code; it shows nothing of the account. */
export async function loader({ request }: LoaderFunctionArgs) {
  const token = await pendingLoginCookie.read(request);
  if (!token || !(await secondStep.isPending(token))) return toLogin(request);
  const redirectTo = adminPathFrom(new URL(request.url).searchParams.getAll("redirectTo"));
  return { redirectTo, usesRecoveryCode: asksForRecoveryCode(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  return submitCode(request);
}

/** The second step of a login. */
export default function LoginCode() {
  const { redirectTo, usesRecoveryCode } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const other = new URLSearchParams({ redirectTo, ...(usesRecoveryCode ? {} : { use: "recovery-code" }) });
  return (
    <Stage>
      <GuardedSpinner />
      <section className="w-full max-w-sm rounded-lg border bg-surface p-6 shadow-float sm:p-8">
        <h1 className="font-display text-2xl tracking-tight">{operatorMessages.secondFactor.title}</h1>
        <p className="mt-3 text-muted-foreground">
          {usesRecoveryCode ? copy.explainsRecovery : copy.explains}
        </p>
        {/* Another field, and so an empty one, for the other kind of code. */}
        <CodeForm key={String(usesRecoveryCode)} usesRecoveryCode={usesRecoveryCode} answer={answer} />
        <p className="mt-4">
          <Link to={`${paths.loginCode}?${other}`} replace className={LINK}>
            {usesRecoveryCode ? copy.useCode : copy.useRecoveryCode}
          </Link>
        </p>
        <p className="mt-6 border-t pt-5 text-xs text-muted-foreground">
          {copy.help}{" "}
          <Link to={`${paths.login}?${new URLSearchParams({ redirectTo })}`} className={LINK}>
            {copy.startAgain}
          </Link>
        </p>
      </section>
    </Stage>
  );
}
