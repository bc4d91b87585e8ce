import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { EmailLinkPage, LandingLink } from "~/components/email-link-page";
import { Button } from "~/components/ui/button";
import { getBrand, useBrand } from "~/components/use-brand";
import { unsubscribeMessages as copy } from "~/content/unsubscribe";
import { getRequestOrigin } from "~/http/request-context.server";
import { unsubscribing } from "~/services/container.server";

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = ({ matches }) => [{ title: `Unsubscribe · ${getBrand(matches)?.name}` }];

/** Shows the page and changes nothing: email scanners follow links. */
export function loader({ params }: LoaderFunctionArgs) {
  const known = unsubscribing.isKnownToken(params.token ?? "");
  return data({ known }, { status: known ? 200 : 404 });
}

/**
 * Unsubscribes at once, without a cookie or token of ours: for a person's click here, or an email provider's
 * one-click post. Responds with the page itself, because RFC 8058 (section 3.1) forbids redirects.
 */
export async function action({ params, request }: ActionFunctionArgs) {
  const outcome = await unsubscribing.unsubscribe(params.token ?? "", getRequestOrigin(request));
  return data({ done: outcome.ok }, { status: outcome.ok ? 200 : 404 });
}

export default function Unsubscribe() {
  const { known } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>()?.done;
  return (
    <EmailLinkPage title={done ? copy.doneTitle : copy.title}>
      <Content known={known} done={done} />
    </EmailLinkPage>
  );
}

type ContentProps = {
  known: boolean;
  /** False when a good link's email is not known; undefined until the button is pressed. */
  done: boolean | undefined;
};

function Content({ known, done }: ContentProps) {
  const { name } = useBrand();
  if (done) {
    return (
      <>
        <Banner kind="success">{copy.done(name)}</Banner>
        <LandingLink />
      </>
    );
  }
  if (!known) return <Banner kind="error">{copy.unknownLink}</Banner>;
  if (done === false) return <Banner kind="error">{copy.unknownEmail}</Banner>;
  return (
    <>
      <p>{copy.question(name)}</p>
      <Form method="post" reloadDocument>
        <Button size="lg" type="submit">
          {copy.button}
        </Button>
      </Form>
    </>
  );
}
