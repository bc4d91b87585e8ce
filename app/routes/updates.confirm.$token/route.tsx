import type {
  ActionFunctionArgs,
  HeadersFunction,
  LoaderFunctionArgs,
  LinksFunction,
  MetaFunction,
} from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { MailLinkPage } from "~/components/mail-link-page";
import { useNotice } from "~/components/notice";
import { messages } from "~/content/messages";
import { confirmations } from "~/services/container.server";
import { serifPreload } from "~/fonts/serif-preload";
import { submitConfirmation } from "./actions.server";
import { Answer } from "./answer";

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: `${messages.confirmUpdates.titles[page?.state ?? "unknown"]} · ${brand.name}` },
  { name: "robots", content: "noindex" },
];

/** Lets Retry-After through to documents. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Shows what the link is good for and changes nothing: mail scanners follow links. */
export async function loader({ params }: LoaderFunctionArgs) {
  const state = await confirmations.judge(params.token ?? "");
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
    <MailLinkPage title={messages.confirmUpdates.titles[view]}>
      <Answer view={view} isNew={notice === "confirmed"} failure={failure} />
    </MailLinkPage>
  );
}
