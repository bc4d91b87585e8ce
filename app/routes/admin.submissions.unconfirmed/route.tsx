import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { PageHeader } from "~/components/page-header";
import { receivedColumn, senderColumn } from "~/components/submissions/columns";
import { TableTabs } from "~/components/submissions/table-tabs";
import { backOfficeTitle } from "~/components/use-brand";
import { submissionMessages as copy } from "~/content/submissions";
import { readPage, readPlace, sortedList, toPageLinks } from "~/http/list-state";
import { paths } from "~/paths";
import { access, signups, visits } from "~/services/container.server";

const PAGE_SIZE = 25;
const SORTS = { received: "desc", name: "asc", address: "asc" } as const;
const unconfirmedList = sortedList(SORTS);

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.unconfirmed) }];

/** `?sort=` and `&order=` order, `&before=` and `&after=` are pages. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { accountId } = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const { values, filter: order } = unconfirmedList.readLoosely(searchParams);
  const [newSince, counts, unconfirmed, { rows, ...page }] = await Promise.all([
    visits.look(accountId),
    signups.counts(),
    signups.countUnconfirmed(),
    readPage(
      readPlace(searchParams),
      PAGE_SIZE,
      (page) => signups.list("updates-signup", page, "unconfirmed", order),
      order.direction,
    ),
  ]);
  return {
    counts,
    unconfirmed,
    values,
    ...page,
    rows: rows.map((row) => ({ ...row, isNew: newSince !== undefined && row.created_at >= newSince })),
    now: Date.now(),
  };
}

/** Lists unconfirmed signups for updates (DOUBLE_OPT_IN). Only an address's owner can confirm it. */
export default function Unconfirmed() {
  const { counts, unconfirmed, values, rows, now, ...page } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.unconfirmedState(unconfirmed)} />
      <div className="flex flex-col gap-4">
        <TableTabs counts={counts} unconfirmed={unconfirmed} />
        <DataTable
          caption={copy.unconfirmed}
          columns={[senderColumn(), receivedColumn(now)]}
          rows={rows}
          note={copy.unconfirmedText}
          empty={<EmptyList title={copy.noUnconfirmed} description={copy.noUnconfirmedText} />}
          sorting={{ path: paths.submissionsUnconfirmed, sorts: SORTS, values }}
          paging={{
            entries: values.sort || values.order ? undefined : "signups",
            ...toPageLinks(paths.submissionsUnconfirmed, page, values),
          }}
        />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
