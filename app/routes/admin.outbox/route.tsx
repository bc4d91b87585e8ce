import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { PageHeader } from "~/components/page-header";
import { TablePanel } from "~/components/table-panel";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Card, CardContent } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { tableMessages } from "~/content/lists";
import { readPage, readPlace } from "~/http/list-state";
import { paths } from "~/paths";
import { access, outbox, status } from "~/services/container.server";

const PAGE_SIZE = 50;
const PARAMETERS = { before: "before", after: "after" };

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "Email outbox") }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const place = readPlace(new URL(request.url).searchParams);
  const [page, total] = await Promise.all([readPage(place, PAGE_SIZE, outbox.list), outbox.count()]);
  return { page, total, driver: status.mailer, now: Date.now() };
}

/** The emails that the outbox keeps, maybe from before another driver was chosen. */
export default function Outbox() {
  const { page, total, driver, now } = useLoaderData<typeof loader>();
  const isInUse = driver === "outbox";
  if (!isInUse && total === 0) {
    return (
      <>
        <PageHeader title="Email outbox" state="The outbox is not in use." />
        <Card className="max-w-4xl">
          <CardContent>
            Emails are sent by the <Code>{driver}</Code> driver, so none are stored here. To store them here
            instead, set <Code>MAIL_DRIVER=outbox</Code>.
          </CardContent>
        </Card>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Email outbox"
        state={
          isInUse ? (
            <>
              Emails are stored here as files instead of being sent. To send them, set{" "}
              <Code>MAIL_DRIVER=smtp</Code> and <Code>SMTP_URL</Code> and start the server again.
            </>
          ) : (
            <>
              Emails are sent by the <Code>{driver}</Code> driver now. These were stored here before.
            </>
          )
        }
      />
      <TablePanel
        id="emails"
        title="Emails"
        columns={[
          {
            name: "To",
            width: "sm:w-[40%] md:w-[30%]",
            className: "font-medium",
            cell: ({ to_address }) => to_address,
          },
          { name: "Subject", cell: ({ subject }) => subject },
          {
            name: "Time",
            width: "sm:w-30 md:w-49 xl:w-79",
            cell: ({ created_at }) => <Timestamp at={created_at} now={now} exact />,
          },
          {
            name: "Email",
            width: "sm:w-20",
            cell: ({ id, to_address }) => (
              <Link
                to={paths.outboxEmail(id)}
                aria-label={`Open the email to ${to_address}`}
                className="font-medium text-primary underline-offset-4 hover:underline"
              >
                Open
              </Link>
            ),
          },
        ]}
        rows={page.rows}
        total={total}
        paging={{ ...page, parameters: PARAMETERS }}
        startsOpen
        empty={
          total > 0 ? (
            <p className="text-muted-foreground">{tableMessages.noOlder}</p>
          ) : (
            <div className="mx-auto flex max-w-[32.8em] flex-col gap-2">
              <p className="font-medium">No emails yet</p>
              <p className="text-muted-foreground">
                Emails appear here, newest first, as recipients would see them. Send a test email from the{" "}
                <TextLink to={paths.dashboard}>dashboard</TextLink> to see the first one.
              </p>
            </div>
          )
        }
      />
    </>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code className="rounded-sm bg-muted px-1 py-0.5 font-mono text-xs text-foreground">{children}</code>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
