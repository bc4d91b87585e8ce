import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ChoiceLinks } from "~/components/choice-links";
import { DataTable } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { FunnelChart, toFunnelColumn, toFunnelSteps } from "~/components/funnel";
import { PageHeader } from "~/components/page-header";
import { ListLink, TextLink } from "~/components/text-link";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { funnelMessages as copy, type FunnelSpan } from "~/content/funnel";
import { linkTo } from "~/http/list-state";
import { SPANS, startOfSpan } from "~/lib/spans";
import { paths } from "~/paths";
import { access, funnel } from "~/services/container.server";
import { sumFunnels } from "~/services/sources/funnel.server";

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
    stepCount: hasWaves ? STEPS.length : 3,
    more: Math.max(0, all.length - MAX_ROWS),
    rows: all.slice(0, MAX_ROWS).map((row) => ({ id: row.source, ...row })),
  };
}

const STEPS = toFunnelSteps(copy.steps, copy.bases);

type View = Awaited<ReturnType<typeof loader>>;
type Row = View["rows"][number];

/** The Funnel screen: how far those came who signed up in a span, as a chart and as a table by source. */
export default function Funnel() {
  const view = useLoaderData<typeof loader>();
  const { over, source, rows, more, total } = view;
  const steps = STEPS.slice(0, view.stepCount);
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
              ...steps.map((each) => toFunnelColumn(each, each.base ? undefined : "sm:w-20")),
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
  const { over, source, charted, stepCount } = view;
  const [visits, ...steps] = STEPS.slice(0, stepCount);
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
        <FunnelChart
          label={copy.chartLabel(over)}
          lead={visits}
          steps={steps}
          counts={charted}
          colour="early-access"
          note={charted.uninvited > 0 ? copy.uninvited(charted.uninvited) : undefined}
        />
      </CardContent>
    </Card>
  );
}

function SourceLink({ row, over }: { row: Row; over: FunnelSpan }) {
  return (
    <ListLink to={linkTo(paths.funnel, { over, source: row.source })}>
      <bdi className="wrap-anywhere">{row.source}</bdi>
    </ListLink>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
