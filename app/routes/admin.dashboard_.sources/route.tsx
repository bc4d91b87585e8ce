import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { NamedBars } from "~/components/charts/named-bars";
import { ChoiceLinks } from "~/components/choice-links";
import { DataTable, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { PageHeader } from "~/components/page-header";
import { ListLink } from "~/components/text-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { sourceMessages as copy } from "~/content/sources";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { SPANS, startOfSpan } from "~/lib/spans";
import { paths } from "~/paths";
import { access, sources } from "~/services/container.server";

const MAX_BARS = 8;
const MAX_ROWS = 100;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/** `?over=month`, `quarter` or `year`; a month without it. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const search = new URL(request.url).searchParams;
  const over = SPANS.find((span) => span === search.get("over")) ?? "month";
  const all = await sources.list({ from: startOfSpan(over, Date.now()) });
  const sum = (of: "visits" | "signups") => all.reduce((total, row) => total + row[of], 0);
  return {
    over,
    visits: sum("visits"),
    signups: sum("signups"),
    more: Math.max(0, all.length - MAX_ROWS),
    rows: all.slice(0, MAX_ROWS).map((row) => ({ id: row.source, ...row })),
  };
}

type View = Awaited<ReturnType<typeof loader>>;
type Row = View["rows"][number];

/** Where visits and signups came from: a chart of the sources with most signups, and a table of the first 100. */
export default function Sources() {
  const view = useLoaderData<typeof loader>();
  const { over, rows, more } = view;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state(view.visits, view.signups, over)}
        actions={
          <ChoiceLinks
            label={copy.spansLabel}
            choices={SPANS}
            chosen={over}
            names={copy.spans}
            linkTo={(span) => linkTo(paths.sources, { over: span })}
          />
        }
      />
      {rows.length === 0 ? (
        <EmptyList title={copy.empty} description={copy.emptyText(over)} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Chart view={view} />
          <DataTable
            caption={copy.tableTitle}
            columns={COLUMNS}
            rows={rows}
            empty={null}
            note={more > 0 ? copy.more(more) : undefined}
            footer={<p className="text-xs text-muted-foreground">{copy.about}</p>}
          />
        </div>
      )}
    </>
  );
}

function Chart({ view: { over, rows } }: { view: Pick<View, "over" | "rows"> }) {
  const bars = rows.filter(({ signups }) => signups > 0).slice(0, MAX_BARS);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.chartTitle}</CardTitle>
      </CardHeader>
      <CardContent>
        {bars.length === 0 ? (
          <p className="py-6 text-muted-foreground">{copy.emptyChart}</p>
        ) : (
          <NamedBars
            label={copy.chartLabel(over)}
            colour="early-access"
            bars={bars.map(({ source, signups, kind }) => ({
              name: source,
              value: signups,
              to: linkToSignups({ source, kind }),
            }))}
          />
        )}
      </CardContent>
    </Card>
  );
}

/** Links to all signups ever of a source by one form: the one that most of those in the span were sent by. */
const linkToSignups = ({ source, kind }: Pick<Row, "source" | "kind">) =>
  linkTo(paths.submissionTable(kind), { source });

const figures = (name: string, cell: (row: Row) => string): Column<Row> => ({
  name,
  width: "sm:w-24",
  className: "sm:text-right tabular-nums",
  card: (row) => (cell(row) === "" ? "absent" : "labelled"),
  cell,
});

const COLUMNS: readonly Column<Row>[] = [
  {
    name: copy.columns.source,
    cell: (row) =>
      row.signups > 0 ? (
        <ListLink to={linkToSignups(row)}>
          <bdi className="wrap-anywhere">{row.source}</bdi>
        </ListLink>
      ) : (
        row.source
      ),
  },
  figures(copy.columns.visits, ({ visits }) => grouped(visits)),
  figures(copy.columns.signups, ({ signups }) => grouped(signups)),
  figures(copy.columns.rate, ({ signups, visits }) => copy.rate(signups, visits)),
];

export { Failure as ErrorBoundary } from "~/components/failure";
