import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { access, ownSessions } from "~/services/container.server";
import { actOnSessions } from "./actions.server";
import { SessionLine } from "./session-line";

const NOTICES = ["session-ended", "session-over", "other-sessions-ended"] as const;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title("My sessions") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAccount(request);
  return { email: person.email, sessions: await ownSessions.list(person), now: Date.now() };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnSessions(request, person);
}

/** Where one is signed in, and a way to end what should not be. */
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
              <Button type="submit" name="intent" value="end-others" variant="danger" size="dense">
                End all others
              </Button>
            </Form>
          ) : null
        }
      />
      <Notice only={NOTICES} className="mb-4" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-10">
        <Card>
          <ul aria-label="Sessions" className="divide-y">
            {sessions.map((session) => (
              <SessionLine key={session.handle} session={session} now={now} />
            ))}
          </ul>
          {others > 0 ? null : (
            <p className="border-t px-4 py-4 text-muted-foreground">
              Log in with another browser or device to see it here, with a button to end it.
            </p>
          )}
        </Card>
        <aside aria-labelledby="how-they-end" className="lg:pt-2">
          <h2 id="how-they-end" className="text-sm font-semibold">
            How sessions end
          </h2>
          <ul className="mt-3 flex max-w-[60ch] list-none flex-col gap-3 text-sm text-muted-foreground">
            <li>A session you end here is logged out at once.</li>
            <li>Sessions end after 30 minutes without use, and 12 hours after the login.</li>
            <li>
              One you do not know? End it, then{" "}
              <Link to={paths.passwordReset} className="text-primary underline underline-offset-4">
                choose a new password
              </Link>
              , which also ends all others.
            </li>
            <li>
              <Link to={paths.secondFactor} className="text-primary underline underline-offset-4">
                {operatorMessages.secondFactor.title}
              </Link>{" "}
              keeps out whoever knows your password.
            </li>
          </ul>
        </aside>
      </div>
    </div>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
