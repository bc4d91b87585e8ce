import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { MailLinkPage, LandingLink } from "~/components/mail-link-page";
import { useNotice } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { brand } from "~/content/brand";
import { messages } from "~/content/messages";
import { notices } from "~/content/operator-messages";
import { serifPreload } from "~/fonts/serif-preload";
import { confirmations } from "~/services/container.server";
import { submitConfirmation } from "./actions.server";

const copy = messages.confirmUpdates;

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: `${copy.titles[page?.state ?? "unknown"]} · ${brand.name}` },
  { name: "robots", content: "noindex" },
];

/** Passes Retry-After on to documents. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Shows the link's state and changes nothing: email scanners follow links. */
export async function loader({ params }: LoaderFunctionArgs) {
  const state = await confirmations.getLinkState(params.token ?? "");
  return data({ state }, { status: state === "unknown" ? 404 : 200 });
}

export function action({ params, request }: ActionFunctionArgs) {
  return submitConfirmation(params.token ?? "", request);
}

export default function ConfirmUpdates() {
  const { state } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>()?.failure;
  const notice = useNotice(["confirmed", "link-sent"]);
  const isSent = state === "expired" && notice === "link-sent" && !failure;
  const view = isSent ? "link-sent" : state;
  return (
    <MailLinkPage title={copy.titles[view]}>
      <Answer view={view} isNew={notice === "confirmed"} failure={failure} />
    </MailLinkPage>
  );
}

interface AnswerProps {
  /** The link's state, or that a new one was just sent. */
  view: "open" | "confirmed" | "expired" | "link-sent" | "unknown";
  /** True when it was confirmed just now. */
  isNew: boolean;
  /** Why no new link was sent. */
  failure: string | undefined;
}

function Answer({ view, isNew, failure }: AnswerProps) {
  switch (view) {
    case "open":
      return (
        <>
          <p>{copy.question}</p>
          <OneButton intent="confirm">{copy.button}</OneButton>
        </>
      );
    case "confirmed":
      return (
        <>
          <Banner kind="success">{isNew ? notices.confirmed.text : copy.confirmedBefore}</Banner>
          <LandingLink />
        </>
      );
    case "expired":
      return (
        <>
          {failure && <Banner kind="error">{failure}</Banner>}
          <p>{copy.expired}</p>
          <OneButton intent="new-link">{copy.newLink}</OneButton>
        </>
      );
    case "link-sent":
      return <Banner kind="success">{notices["link-sent"].text}</Banner>;
    case "unknown":
      return (
        <>
          <Banner kind="error">{copy.unknownLink}</Banner>
          <LandingLink />
        </>
      );
  }
}

function OneButton({ intent, children }: { intent: "confirm" | "new-link"; children: string }) {
  return (
    <Form method="post" reloadDocument>
      <Button type="submit" name="intent" value={intent}>
        {children}
      </Button>
    </Form>
  );
}
