import type { Colour } from "~/components/charts/colours";
import { FunnelBars } from "~/components/charts/funnel-bars";
import type { Column } from "~/components/data-table";
import { ExactNumbers } from "~/components/exact-numbers";
import { funnelMessages as copy } from "~/content/funnel";
import { grouped } from "~/lib/format-number";
import { formatShare } from "~/lib/percentage";

/** A step of a funnel: a number of its counts. */
interface FunnelStep<Name extends string> {
  readonly step: Name;
  readonly name: string;
  /** What its rate is a share of, in the same counts, and the name of that in a sentence. */
  readonly base?: { readonly step: Name; readonly name: string } | undefined;
}

/**
 * Creates the steps of a funnel, in the order of their names.
 * @param bases what the rate of a step is a share of; a step that is left out has no rate.
 */
export const toFunnelSteps = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  bases: Readonly<Partial<Record<Name, Name>>>,
): FunnelStep<Name>[] =>
  (Object.keys(names) as Name[]).map((step) => {
    const base = bases[step];
    return { step, name: names[step], base: base && { step: base, name: names[base].toLowerCase() } };
  });

type Counts<Name extends string> = Readonly<Record<Name, number>>;

interface FunnelChartProps<Name extends string> {
  /** Describes the chart for screen readers. */
  label: string;
  /** A step above the others that counts something else than they do. */
  lead?: FunnelStep<Name> | undefined;
  steps: readonly FunnelStep<Name>[];
  counts: Counts<Name>;
  colour: Colour;
  note?: string | undefined;
}

/** A funnel as bars, with its exact numbers on demand. */
export function FunnelChart<Name extends string>(props: FunnelChartProps<Name>) {
  const { label, lead, steps, counts, colour, note } = props;
  const toRow = (each: FunnelStep<Name>) => ({
    name: each.name,
    value: counts[each.step],
    // What the lead counts has no bar.
    of: each.base && each.base.step !== lead?.step ? counts[each.base.step] : 0,
    rate: describeRate(counts, each),
  });
  const rows = steps.map(toRow);
  const top = lead && toRow(lead);
  return (
    <>
      <FunnelBars label={label} lead={top} steps={rows} colour={colour} />
      {note ? <p className="text-xs text-muted-foreground">{note}</p> : null}
      <ExactNumbers
        caption={copy.title}
        rowHead={copy.step}
        columns={[
          { name: copy.count, text: ({ value }) => grouped(value) },
          { name: copy.rate, text: ({ rate }) => rate },
        ]}
        rows={top ? [top, ...rows] : rows}
        className="max-w-md"
      />
    </>
  );
}

/** Returns the column of a step in a table of funnels: its number and its rate. @param width class of the header. */
export const toFunnelColumn = <Name extends string>(
  each: FunnelStep<Name>,
  width = "sm:w-28",
): Column<Counts<Name>> => ({
  name: each.name,
  width,
  className: "sm:text-right tabular-nums",
  card: "labelled",
  cell: (row) => (
    <span className="flex items-baseline gap-2 sm:flex-row-reverse">
      {grouped(row[each.step])}
      <span className="text-xs text-muted-foreground">{getRate(row, each)}</span>
    </span>
  ),
});

/** "38.2%"; empty where a step has more than its base: who was imported signed up without a visit. */
function getRate<Name extends string>(counts: Counts<Name>, { step, base }: FunnelStep<Name>): string {
  if (!base || counts[step] > counts[base.step]) return "";
  return formatShare(counts[step], counts[base.step]);
}

function describeRate<Name extends string>(counts: Counts<Name>, each: FunnelStep<Name>): string {
  const rate = getRate(counts, each);
  return rate === "" || !each.base ? "" : copy.rateOf(rate, each.base.name);
}
