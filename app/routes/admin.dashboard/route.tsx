import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { UserManagementPanel } from "~/components/user-management-panel";
import { operatorMessages } from "~/operator-messages";
import { access, signups } from "~/services/container.server";
import { actOnOutreach } from "./actions.server";
import { Distribution } from "./distribution";
import { OutreachPanel } from "./outreach-panel";
import { outreachView } from "./outreach-view.server";
import { StatCards } from "./stat-cards";
import { SubmissionTables } from "./submission-tables";
import { submissionTables } from "./submission-tables.server";

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title("Dashboard") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { role } = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const [counts, lastSignupAt, tables, view] = await Promise.all([
    signups.counts(),
    signups.lastAt(),
    submissionTables(searchParams),
    outreachView(searchParams),
  ]);
  return { role, view, counts, tables, lastSignupAt, now: Date.now() };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnOutreach(request, person);
}

export default function Dashboard() {
  const { role, view, counts, tables, lastSignupAt, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Admin Dashboard"
        state={
          lastSignupAt === undefined ? (
            "No signups yet."
          ) : (
            <>
              Last signup <Timestamp at={lastSignupAt} now={now} />.
            </>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <StatCards counts={counts} />
        <Distribution counts={counts} />
        <OutreachPanel view={view} answer={useActionData<typeof action>()} />
        {role === "superadmin" ? <UserManagementPanel /> : null}
        <SubmissionTables tables={tables} counts={counts} now={now} />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
