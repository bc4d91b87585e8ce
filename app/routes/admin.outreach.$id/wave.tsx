import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import { FunnelChart, toFunnelColumn, toFunnelSteps } from "~/components/funnel";
import { ListLink } from "~/components/text-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { funnelMessages } from "~/content/funnel";
import { waveFunnelMessages as copy } from "~/content/wave-funnel";
import { waveMessages } from "~/content/waves";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { formatShare } from "~/lib/percentage";
import { paths } from "~/paths";
import type { InvitationFilter } from "~/services/people/people-filter";
import type { CampaignView } from "./campaign-view.server";

type Wave = NonNullable<CampaignView["wave"]>;

/** Filters the list of people by a wave: those whose invitation is of it. */
const ofWave = (id: string) => ({ campaign: id, got: "invitation" });

/** Shows where the people of a wave are; each figure links to them in the list. */
export function WaveFigures({ id, wave }: { id: string; wave: Wave }) {
  const toPeople = (invitation: InvitationFilter) => linkTo(paths.people, { ...ofWave(id), invitation });
  const { states, joinedRate, undeliverableRate } = waveMessages;
  const { reserved, invited, joined, undeliverable, asked } = wave;
  const reached = invited + joined;
  const joinedShare = formatShare(joined, reached);
  const undeliverableShare = formatShare(undeliverable, reached + undeliverable);
  const figures = [
    // Whoever is reserved still waits, and of this wave only they do.
    { label: waveMessages.reserved, count: reserved, rate: "", to: toPeople("waiting") },
    { label: states.invited, count: invited, rate: "", to: toPeople("invited") },
    {
      label: states.joined,
      count: joined,
      rate: joinedShare && joinedRate(joinedShare),
      to: toPeople("joined"),
    },
    {
      label: states.undeliverable,
      count: undeliverable,
      rate: undeliverableShare && undeliverableRate(undeliverableShare),
      to: toPeople("undeliverable"),
    },
    ...(asked > 0 ? [{ label: waveMessages.asked, count: asked, rate: "", to: toPeople("asked") }] : []),
  ];
  return (
    <Card role="region" aria-label={waveMessages.figures}>
      <CardContent className="flex flex-wrap items-center gap-x-6 gap-y-1 py-2">
        <h2 className="text-sm font-semibold">{waveMessages.wave(wave.number)}</h2>
        <ul className="-mx-2.5 flex flex-wrap gap-1">
          {figures.map(({ label, count, rate, to }) => (
            <li key={label}>
              <Link to={to} className="flex items-baseline gap-1.5 rounded-md px-2.5 py-1.5 hover:bg-muted">
                <span className="text-xs text-muted-foreground">{label}</span>
                <span className="font-semibold tabular-nums">{grouped(count)}</span>
                {rate ? <span className="text-xs text-muted-foreground tabular-nums">{rate}</span> : null}
              </Link>
            </li>
          ))}
        </ul>
        {wave.funnel ? null : <p className="text-xs text-muted-foreground">{copy.later}</p>}
      </CardContent>
    </Card>
  );
}

const STEPS = toFunnelSteps(copy.steps, copy.bases);

interface WaveFunnelProps {
  id: string;
  funnel: NonNullable<Wave["funnel"]>;
}

/** Shows how far the people of a wave came: a chart, and a table by source, which links to them in the list. */
export function WaveFunnel({ id, funnel: { total, rows, more } }: WaveFunnelProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 @min-[56rem]/detail:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Card role="region" aria-label={copy.title}>
        <CardHeader>
          <CardTitle>{copy.title}</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-4">
          <FunnelChart label={copy.chartLabel} steps={STEPS} counts={total} colour="early-access" />
        </CardContent>
      </Card>
      <DataTable
        caption={copy.tableTitle}
        columns={[
          {
            name: funnelMessages.source,
            cell: ({ source }) => (
              <ListLink to={linkTo(paths.people, { ...ofWave(id), source })}>
                <bdi className="wrap-anywhere">{source}</bdi>
              </ListLink>
            ),
          },
          ...STEPS.map((step) => toFunnelColumn(step, step.base ? undefined : "sm:w-20")),
        ]}
        rows={rows}
        empty={null}
        note={more > 0 ? copy.more(more) : undefined}
        footer={<p className="text-xs text-muted-foreground">{copy.about}</p>}
      />
    </div>
  );
}
