import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FunnelBars } from "~/components/charts/funnel-bars";
import { ChoiceLinks } from "~/components/choice-links";
import { DataTable, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { ExactNumbers } from "~/components/exact-numbers";
import { PageHeader } from "~/components/page-header";
import { ListLink, TextLink } from "~/components/text-link";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { funnelMessages as copy, type FunnelSpan, type FunnelStep } from "~/content/funnel";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { formatShare } from "~/lib/percentage";
import { SPANS, startOfSpan } from "~/lib/spans";
import { paths } from "~/paths";
import { access, funnel } from "~/services/container.server";
import { sumFunnels, type FunnelCounts } from "~/services/sources/funnel.server";

const CHOICES: readonly FunnelSpan[] = [...SPANS, "all"];

const MAX_ROWS = 100;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/** `?over=month`, `quarter`, `year` or `all`, a month without it; `&source=` charts one source. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const search = new URL(request.url).searchParams;
  const over = CHOICES.find((span) => span === search.get("over")) ?? "month";
  const from = over === "all" ? 0 : startOfSpan(over, Date.now());
  const [all, hasWaves] = await Promise.all([funnel.list({ from }), funnel.hasInvitations()]);
  const total = sumFunnels(all);
  const chosen = all.find(({ source }) => source === search.get("source"));
  return {
    over,
    total,
    source: chosen?.source,
    charted: chosen ?? total,
    /** "invited" and "joined" only where people are invited, or were. */
    steps: hasWaves ? STEPS : STEPS.slice(0, 3),
    more: Math.max(0, all.length - MAX_ROWS),
    rows: all.slice(0, MAX_ROWS).map((row) => ({ id: row.source, ...row })),
  };
}

const STEPS: readonly FunnelStep[] = ["visits", "signups", "confirmed", "invited", "joined"];

type View = Awaited<ReturnType<typeof loader>>;
type Row = View["rows"][number];

/** The Funnel screen: how far those came who signed up in a span, as a chart and as a table by source. */
export default function Funnel() {
  const view = useLoaderData<typeof loader>();
  const { over, source, rows, more, steps, total } = view;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state(total, over)}
        actions={
          <ChoiceLinks
            label={copy.spansLabel}
            choices={CHOICES}
            chosen={over}
            names={copy.spans}
            linkTo={(span) => linkTo(paths.funnel, { over: span, source })}
          />
        }
      />
      {rows.length === 0 ? (
        <EmptyList title={copy.empty} description={copy.emptyText(over)} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Chart view={view} />
          <DataTable
            caption={copy.tableTitle}
            columns={[
              { name: copy.source, cell: (row) => <SourceLink row={row} over={over} /> },
              ...steps.map(toColumn),
            ]}
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

function Chart({ view }: { view: View }) {
  const { over, source, charted, steps } = view;
  const rows = steps.map((step) => ({
    name: copy.steps[step],
    value: charted[step],
    // Visits are no people.
    of: step === "signups" ? 0 : getBase(charted, step),
    rate: describeRate(charted, step),
  }));
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          <bdi className="wrap-anywhere">{copy.chartTitle(source)}</bdi>
        </CardTitle>
        {source === undefined ? null : (
          <CardAction>
            <TextLink to={linkTo(paths.funnel, { over })} className="text-xs">
              {copy.allSources}
            </TextLink>
          </CardAction>
        )}
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <FunnelBars
          label={copy.chartLabel(over)}
          lead={{ name: copy.steps.visits, value: charted.visits }}
          steps={rows.slice(1)}
          colour="early-access"
        />
        {charted.uninvited > 0 ? (
          <p className="text-xs text-muted-foreground">{copy.uninvited(charted.uninvited)}</p>
        ) : null}
        <ExactNumbers
          caption={copy.title}
          rowHead={copy.step}
          columns={[
            { name: copy.count, text: ({ value }) => grouped(value) },
            { name: copy.rate, text: ({ rate }) => rate },
          ]}
          rows={rows}
          className="max-w-md"
        />
      </CardContent>
    </Card>
  );
}

/** Returns the number that a step's rate is a share of; 0 without one. */
const getBase = (counts: FunnelCounts, step: FunnelStep) =>
  step === "visits" ? 0 : counts[copy.bases[step]];

/** Formats a step's rate: "38.2%"; empty where more came than were counted before, as of people who were imported. */
function getRate(counts: FunnelCounts, step: FunnelStep): string {
  const of = getBase(counts, step);
  return counts[step] > of ? "" : formatShare(counts[step], of);
}

function describeRate(counts: FunnelCounts, step: FunnelStep): string {
  const rate = getRate(counts, step);
  return rate === "" || step === "visits"
    ? ""
    : copy.rateOf(rate, copy.steps[copy.bases[step]].toLowerCase());
}

function SourceLink({ row, over }: { row: Row; over: FunnelSpan }) {
  return (
    <ListLink to={linkTo(paths.funnel, { over, source: row.source })}>
      <bdi className="wrap-anywhere">{row.source}</bdi>
    </ListLink>
  );
}

const toColumn = (step: FunnelStep): Column<Row> => ({
  name: copy.steps[step],
  width: step === "visits" ? "sm:w-20" : "sm:w-28",
  className: "sm:text-right tabular-nums",
  card: "labelled",
  cell: (row) => (
    <span className="flex items-baseline gap-2 sm:flex-row-reverse">
      {grouped(row[step])}
      <span className="text-xs text-muted-foreground">{getRate(row, step)}</span>
    </span>
  ),
});

export { Failure as ErrorBoundary } from "~/components/failure";
