import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { ButtonLink } from "~/components/button-link";
import { EmailLinkPage } from "~/components/email-link-page";
import { RefusalBanner } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { getBrand, useBrand } from "~/components/use-brand";
import { accountMessages } from "~/content/account";
import { refuse } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { paths } from "~/paths";
import { emailChanges } from "~/services/container.server";

const copy = accountMessages.page;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction<typeof loader> = ({ data: page, matches }) => [
  { title: `${copy.titles[page?.state ?? "unknown"]} · ${getBrand(matches)?.name}` },
  { name: "robots", content: "noindex" },
];

export { passActionHeaders as headers } from "~/http/action-result.server";

const STATUS = {
  open: 200,
  used: 200,
  withdrawn: 410,
  expired: 410,
  taken: 409,
  unknown: 404,
  throttled: 429,
} as const;

/** Shows the link's state and changes nothing of it: email scanners open links. */
export async function loader({ params, request }: LoaderFunctionArgs) {
  const link = await emailChanges.getLink(params.token ?? "", getRequestOrigin(request));
  const { state } = link;
  return data({ state, email: link.state === "open" ? link.email : "" }, { status: STATUS[state] });
}

/** Changes the address; the page then shows the link's state. No session is needed: the link may be opened anywhere. */
export async function action({ params: { token = "" }, request }: ActionFunctionArgs) {
  const outcome = await emailChanges.confirm(token, getRequestOrigin(request));
  if (outcome.ok) return seeOther(paths.confirmEmail(encodeURIComponent(token)));
  if (outcome.error === "throttled") {
    const { retryAfterSeconds } = outcome;
    const refusal = { message: copy.titles.throttled, advice: copy.throttled };
    return refuse("confirm-email", refusal, { status: 429, retryAfterSeconds });
  }
  return refuse("confirm-email", {}, { status: STATUS[outcome.error] });
}

export default function ConfirmEmail() {
  const { state, email } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const brand = useBrand();
  return (
    <EmailLinkPage title={copy.titles[state]}>
      {answer?.message ? <RefusalBanner refusal={answer} /> : null}
      {state === "open" ? (
        <>
          <p>{copy.open(brand.name)}</p>
          <p className="font-medium wrap-anywhere">
            <bdi>{email}</bdi>
          </p>
          <p>{copy.then}</p>
          <Form method="post" reloadDocument>
            <Button size="lg" type="submit">
              {copy.confirm}
            </Button>
          </Form>
        </>
      ) : state === "used" ? (
        <>
          <Banner kind="success">{copy.used}</Banner>
          <ButtonLink to={paths.account} reloadDocument size="lg" className="self-start">
            {copy.toAccount}
          </ButtonLink>
        </>
      ) : (
        <>
          <p>{copy[state]}</p>
          <ButtonLink to={paths.account} reloadDocument size="lg" className="self-start">
            {copy.toAccount}
          </ButtonLink>
        </>
      )}
    </EmailLinkPage>
  );
}
