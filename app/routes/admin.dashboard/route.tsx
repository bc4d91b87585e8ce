import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { UserManagementPanel } from "~/components/user-management-panel";
import { messages } from "~/messages";
import { access, signups } from "~/services/container.server";
import { actOnOutreach } from "./actions.server";
import { EarlyAccessTable } from "./early-access-table";
import { OutreachPanel } from "./outreach-panel";
import { outreachView } from "./outreach-view.server";
import { StatCards } from "./stat-cards";

const PAGE_SIZE = 50;

export const meta: MetaFunction = () => [{ title: messages.backOffice.title("Dashboard") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { role } = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? undefined;
  const [counts, [latest], found, view] = await Promise.all([
    signups.counts(),
    signups.list("early-access", { limit: 1 }),
    // One more than a page tells whether there is another one.
    signups.list("early-access", { before, limit: PAGE_SIZE + 1 }),
    outreachView(searchParams),
  ]);
  return {
    role,
    view,
    counts,
    now: Date.now(),
    lastSignupAt: latest?.created_at,
    rows: found.slice(0, PAGE_SIZE),
    hasOlder: found.length > PAGE_SIZE,
    isNewest: before === undefined,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnOutreach(request, person);
}

export default function Dashboard() {
  const { role, view, counts, now, lastSignupAt, rows, hasOlder, isNewest } = useLoaderData<typeof loader>();
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
        <OutreachPanel view={view} answer={useActionData<typeof action>()} />
        {role === "superadmin" ? <UserManagementPanel /> : null}
        <EarlyAccessTable
          rows={rows}
          total={counts["early-access"]}
          now={now}
          paging={{ older: hasOlder ? rows.at(-1)?.id : undefined, newest: isNewest ? undefined : "" }}
        />
      </div>
    </>
  );
}
