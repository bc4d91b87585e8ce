import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { EmailLinkPage, LandingLink } from "~/components/email-link-page";
import { useNotice } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { getBrand, useBrand } from "~/components/use-brand";
import { messages } from "~/content/messages";
import { leaveTo, seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { paths } from "~/paths";
import { waves } from "~/services/container.server";
import { TEST_CODE } from "~/services/waves/invite-links.server";

const copy = messages.invite;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction<typeof loader> = ({ data: page, matches, location }) => {
  const notice = new URLSearchParams(location.search).get("notice");
  return [
    { title: `${copy.titles[toView(page?.state ?? "unknown", notice)]} · ${getBrand(matches)?.name}` },
    { name: "robots", content: "noindex" },
  ];
};

export { passActionHeaders as headers } from "~/http/action-result.server";

const STATUS = { test: 200, unknown: 404, revoked: 410, expired: 410, joined: 410 } as const;

/**
 * Redirects to the application's sign-up page, each time: email scanners open links, too, so nothing is used up. What does
 * not lead there is a page with a sentence. The guard adds that no other site learns the link (response-headers.ts).
 */
export async function loader({ params: { code = "" }, request }: LoaderFunctionArgs) {
  if (!waves) return show("unknown");
  if (code === TEST_CODE) return show("test");
  const { address } = getRequestOrigin(request);
  const opened = await waves.links.open(code, { address, isNavigation: isNavigation(request) });
  if ("url" in opened) throw leaveTo(opened.url, { "Cache-Control": "no-store" });
  return show(opened.state);
}

const show = (state: keyof typeof STATUS) => data({ state }, { status: STATUS[state] });

/** Returns whether a browser says that somebody navigates there, and does not load the page ahead. */
function isNavigation({ method, headers }: Request): boolean {
  return (
    method === "GET" &&
    headers.get("Sec-Fetch-Mode") === "navigate" &&
    headers.get("Sec-Fetch-Dest") === "document" &&
    !headers.has("Sec-Purpose")
  );
}

/** Asks for a new link in the place of an expired one; somebody of the team decides. */
export async function action({ params: { code = "" }, request }: ActionFunctionArgs) {
  const asked = await waves?.links.ask(code, getRequestOrigin(request));
  const page = paths.invite(encodeURIComponent(code));
  if (asked?.state === "asked") return seeOther(`${page}?notice=invite-asked`);
  if (asked?.state !== "throttled") return seeOther(page);
  const { retryAfterSeconds } = asked;
  const failure = copy.throttled(Math.ceil(retryAfterSeconds / 60));
  return data({ failure }, { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } });
}

export default function Invite() {
  const { state } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>()?.failure;
  const brand = useBrand();
  const notice = useNotice(["invite-asked"]);
  const view = failure ? state : toView(state, notice);
  return (
    <EmailLinkPage title={copy.titles[view]}>
      {failure ? <Banner kind="error">{failure}</Banner> : null}
      {view === "asked" ? (
        <Banner kind="success">{copy.asked}</Banner>
      ) : (
        <p>{view === "joined" ? copy.joined(brand.name) : copy[view]}</p>
      )}
      {view === "expired" ? (
        <Form method="post" reloadDocument>
          <Button size="lg" type="submit">
            {copy.ask}
          </Button>
        </Form>
      ) : (
        <LandingLink />
      )}
    </EmailLinkPage>
  );
}

/** Returns what the page shows: the link's state, or that a new one was asked for. */
const toView = (state: keyof typeof STATUS, notice: string | null | undefined): keyof typeof copy.titles =>
  state === "expired" && notice === "invite-asked" ? "asked" : state;
