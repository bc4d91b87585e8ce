import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { Monitor, Smartphone } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SideNotes } from "~/components/side-notes";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { IntentButton } from "~/components/intent-button";
import { Card, CardFooter } from "~/components/ui/card";
import {
  Item,
  ItemActions,
  ItemContent,
  ItemDescription,
  ItemGroup,
  ItemMedia,
  ItemTitle,
} from "~/components/ui/item";
import { backOfficeTitle } from "~/components/use-brand";
import { secondFactorMessages } from "~/content/second-factor";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, sessions } from "~/services/container.server";
import type { OwnSession } from "~/services/sessions/sessions.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "My sessions") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  return { email: operator.email, sessions: await sessions.list(operator), now: Date.now() };
}

/** Handles the page's buttons. A session that is not the person's, or is over, is left unchanged. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { intent = "", session = "" } = firstValues(await readForm(request));
  if (intent === "end-others") {
    await sessions.endOthers(operator, getRequestOrigin(request));
    return report("other-sessions-ended", paths.sessions);
  }
  if (intent !== "end") return seeOther(paths.sessions);
  const hasEnded = await sessions.endOne(operator, session, getRequestOrigin(request));
  return report(hasEnded ? "session-ended" : "session-over", paths.sessions);
}

export const clientAction = keepForm();

/** Lists the account's own sessions, which can be ended. */
export default function Sessions() {
  const { email, sessions, now } = useLoaderData<typeof loader>();
  const others = sessions.length - 1;
  return (
    <div className="max-w-5xl">
      <PageHeader
        title="My sessions"
        state={
          <>
            <bdi>{email}</bdi> is signed in {others > 0 ? `with ${sessions.length} browsers` : "here only"}.
          </>
        }
        actions={
          others > 0 ? (
            <Form method="post">
              <IntentButton intent="end-others" variant="destructive">
                End all others
              </IntentButton>
            </Form>
          ) : null
        }
      />
      <Notice className="mb-4" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-10">
        <Card>
          <ItemGroup aria-label="Sessions" className="divide-y">
            {sessions.map((session) => (
              <SessionLine key={session.handle} session={session} now={now} />
            ))}
          </ItemGroup>
          {others > 0 ? null : (
            <CardFooter className="text-muted-foreground">
              Log in with another browser or device to see it here, with a button to end it.
            </CardFooter>
          )}
        </Card>
        <SideNotes id="how-they-end" title="How sessions end">
          <li>A session you end here is logged out at once.</li>
          <li>Sessions end after 30 minutes without use, and 12 hours after the login.</li>
          <li>
            Is there one you do not recognize? End it, then{" "}
            <TextLink to={paths.passwordReset}>choose a new password</TextLink>, which also ends all others.
          </li>
          <li>
            <TextLink to={paths.secondFactor}>{secondFactorMessages.title}</TextLink> protects your account
            even if somebody knows your password.
          </li>
        </SideNotes>
      </div>
    </div>
  );
}

const MOBILE_OS = /\b(?:Android|iOS|iPadOS)$/;

function SessionLine({ session, now }: { session: OwnSession; now: number }) {
  const { handle, browser, network, startedAt, lastSeenAt, isThisOne } = session;
  const Icon = MOBILE_OS.test(browser) ? Smartphone : Monitor;
  return (
    <Item asChild className="rounded-none">
      <li data-row>
        <ItemMedia>
          <Icon aria-hidden className="size-5 text-muted-foreground" />
        </ItemMedia>
        <ItemContent className="basis-48">
          <ItemTitle className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {browser}
            {isThisOne ? <Badge variant="default">This session</Badge> : null}
          </ItemTitle>
          <ItemDescription className="text-xs">
            from {network} · started <Timestamp at={startedAt} now={now} /> · last used{" "}
            {isThisOne ? "just now" : <Timestamp at={lastSeenAt} now={now} />}
          </ItemDescription>
        </ItemContent>
        {isThisOne ? null : (
          <ItemActions>
            <Form method="post">
              <input type="hidden" name="session" value={handle} />
              <IntentButton intent="end" aria-label={`End this session: ${browser} from ${network}`}>
                End this session
              </IntentButton>
            </Form>
          </ItemActions>
        )}
      </li>
    </Item>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
