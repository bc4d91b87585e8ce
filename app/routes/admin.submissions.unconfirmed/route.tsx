import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { PageHeader } from "~/components/page-header";
import { backOfficeTitle } from "~/content/brand";
import { submissionMessages as copy } from "~/content/submissions";
import { toPageLinks, toPage } from "~/http/list-state";
import { paths } from "~/paths";
import { access, signups } from "~/services/container.server";
import { Kinds } from "../admin.submissions.$kind/kinds";
import { receivedColumn, senderColumn } from "../admin.submissions.$kind/rows";

const PAGE_SIZE = 25;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.unconfirmed) }];

/** `?before=` is the page after that id. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const before = new URL(request.url).searchParams.get("before") ?? undefined;
  const [counts, unconfirmed, found] = await Promise.all([
    signups.counts(),
    signups.countUnconfirmed(),
    signups.list("updates-signup", { before, limit: PAGE_SIZE + 1 }, "unconfirmed"),
  ]);
  return {
    counts,
    unconfirmed,
    ...toPage(found, PAGE_SIZE, before),
    now: Date.now(),
  };
}

/** Lists unconfirmed signups for updates (DOUBLE_OPT_IN). Only an address's owner can confirm it. */
export default function Unconfirmed() {
  const { counts, unconfirmed, rows, now, ...page } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.unconfirmedState(unconfirmed)} />
      <div className="flex flex-col gap-4">
        <Kinds counts={counts} unconfirmed={unconfirmed} />
        <DataTable
          caption={copy.unconfirmed}
          columns={[senderColumn, receivedColumn(now)]}
          rows={rows}
          note={copy.unconfirmedText}
          empty={<EmptyList title={copy.noUnconfirmed} then={copy.noUnconfirmedText} />}
          paging={{ entries: "signups", ...toPageLinks(paths.submissionsUnconfirmed, page) }}
        />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
