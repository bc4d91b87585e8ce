import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { EmailLinkPage, LandingLink } from "~/components/email-link-page";
import { useNotice } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { getBrand, useBrand } from "~/components/use-brand";
import { messages } from "~/content/messages";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { paths } from "~/paths";
import { confirmations } from "~/services/container.server";

/** The names say updates; a link may also confirm a signup for early access, or an address alone (`about`). */
const copy = messages.confirmUpdates;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction<typeof loader> = ({ data: page, matches, location }) => {
  const notice = new URLSearchParams(location.search).get("notice");
  return [
    { title: `${copy.titles[toView(page?.state ?? "unknown", notice)]} · ${getBrand(matches)?.name}` },
    { name: "robots", content: "noindex" },
  ];
};

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Shows the link's state and changes nothing: email scanners follow links. */
export async function loader({ params, request }: LoaderFunctionArgs) {
  const state = await confirmations.getLinkState(params.token ?? "");
  const about = confirmations.getSubject(params.token ?? "");
  const notice = new URL(request.url).searchParams.get("notice");
  return data({ state, about }, { status: toView(state, notice) === "unknown" ? 404 : 200 });
}

/** Confirms, or with `intent=new-link` sends another email; the page then shows the link's state. */
export async function action({ params: { token = "" }, request }: ActionFunctionArgs) {
  const { intent } = await readForm(request);
  const page = paths.confirmUpdates(encodeURIComponent(token));
  if (intent !== "new-link") {
    const state = await confirmations.confirm(token, getRequestOrigin(request));
    if (state === "unknown") return data({ failure: undefined }, { status: 404 });
    return seeOther(state === "open" ? `${page}?notice=confirmed` : page);
  }
  const outcome = await confirmations.sendNewLink(token);
  if (outcome.ok) return seeOther(`${page}?notice=link-sent`);
  if (outcome.error === "limited") {
    const { retryAfterSeconds } = outcome;
    const failure = copy.linkSentLately(Math.ceil(retryAfterSeconds / 60));
    return data({ failure }, { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } });
  }
  return outcome.error === "confirmed" ? seeOther(page) : data({ failure: undefined }, { status: 404 });
}

export default function ConfirmUpdates() {
  const { state, about } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>()?.failure;
  const notice = useNotice(["confirmed", "link-sent"]);
  const view = toView(state, notice);
  return (
    <EmailLinkPage title={copy.titles[view]}>
      <LinkStatus view={view} about={about} isNew={notice === "confirmed"} failure={failure} />
    </EmailLinkPage>
  );
}

type View = keyof typeof copy.titles;

/**
 * Returns what the page shows: the link's state, or that a new link is on its way. That may belong to another request,
 * after which nothing knows the old link.
 */
const toView = (state: View, notice: string | null | undefined): View =>
  (state === "expired" || state === "unknown") && notice === "link-sent" ? "link-sent" : state;

type LinkStatusProps = {
  view: View;
  /** What the link confirms. */
  about: keyof typeof copy.questions;
  isNew: boolean;
  /** Why no new link was sent. */
  failure: string | undefined;
};

function LinkStatus({ view, about, isNew, failure }: LinkStatusProps) {
  const { name } = useBrand();
  switch (view) {
    case "open":
      return (
        <>
          <p>{copy.questions[about](name)}</p>
          <IntentForm intent="confirm">{copy.button}</IntentForm>
        </>
      );
    case "confirmed":
      return (
        <>
          <Banner kind="success">{isNew ? copy.confirmedSubjects[about] : copy.confirmedBefore}</Banner>
          <LandingLink />
        </>
      );
    case "expired":
      return (
        <>
          {failure && <Banner kind="error">{failure}</Banner>}
          <p>{copy.expired}</p>
          <IntentForm intent="new-link">{copy.newLink}</IntentForm>
        </>
      );
    case "link-sent":
      return <Banner kind="success">{copy.newLinkSent}</Banner>;
    case "unknown":
      return (
        <>
          <Banner kind="error">{copy.unknownLink}</Banner>
          <LandingLink />
        </>
      );
  }
}

function IntentForm({ intent, children }: { intent: "confirm" | "new-link"; children: string }) {
  return (
    <Form method="post" reloadDocument>
      <Button size="lg" type="submit" name="intent" value={intent}>
        {children}
      </Button>
    </Form>
  );
}
