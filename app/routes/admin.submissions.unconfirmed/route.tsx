import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SavedViews, SaveViewLink } from "~/components/saved-views";
import { receivedColumn, senderColumn } from "~/components/submissions/columns";
import { TableTabs } from "~/components/submissions/table-tabs";
import { backOfficeTitle } from "~/components/use-brand";
import { chartMessages, submissionMessages as copy } from "~/content/submissions";
import { readPage, readPlace, toPageLinks } from "~/http/list-state";
import { UNCONFIRMED_SORTS, unconfirmedList } from "~/http/lists/unconfirmed-list";
import { paths } from "~/paths";
import { access, savedViews, signups, visits } from "~/services/container.server";

const PAGE_SIZE = 25;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.unconfirmed) }];

/** `?sort=` and `&order=` order, `&before=` and `&after=` are pages. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const { values, filter: order } = unconfirmedList.readLoosely(searchParams);
  const [newSince, counts, unconfirmed, views, { rows, ...page }] = await Promise.all([
    visits.look(operator.accountId),
    signups.counts(),
    signups.countUnconfirmed(),
    savedViews.list(operator, paths.submissionsUnconfirmed),
    readPage(
      readPlace(searchParams),
      PAGE_SIZE,
      (page) => signups.listUnconfirmed(page, order),
      order.direction,
    ),
  ]);
  return {
    counts,
    unconfirmed,
    views,
    values,
    ...page,
    rows: rows.map((row) => ({ ...row, isNew: newSince !== undefined && row.created_at >= newSince })),
    now: Date.now(),
  };
}

/** Lists unconfirmed signups (DOUBLE_OPT_IN). Only an address's owner can confirm it. */
export default function Unconfirmed() {
  const { counts, unconfirmed, views, values, rows, now, ...page } = useLoaderData<typeof loader>();
  const saved = { list: paths.submissionsUnconfirmed, values, views };
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.unconfirmedState(unconfirmed)}
        actions={<SaveViewLink {...saved} />}
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <TableTabs counts={counts} unconfirmed={unconfirmed} />
        <SavedViews {...saved} />
        <DataTable
          caption={copy.unconfirmed}
          columns={[
            senderColumn(),
            {
              name: chartMessages.form,
              width: "sm:w-36",
              card: "caption",
              cell: ({ kind }) => copy.forms[kind],
            },
            receivedColumn(now),
          ]}
          rows={rows}
          note={copy.unconfirmedText}
          empty={<EmptyList title={copy.noUnconfirmed} description={copy.noUnconfirmedText} />}
          sorting={{ path: paths.submissionsUnconfirmed, sorts: UNCONFIRMED_SORTS, values }}
          paging={{
            newestNoun: values.sort || values.order ? undefined : "signups",
            ...toPageLinks(paths.submissionsUnconfirmed, page, values),
          }}
        />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
