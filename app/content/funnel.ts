import { formatCount, grouped } from "~/lib/format-number";
import type { Span } from "~/lib/spans";
import type { FunnelCounts } from "~/services/sources/funnel.server";
import { sourceMessages } from "./sources";

export type FunnelSpan = Span | "all";

const SPANS: Record<FunnelSpan, string> = { ...sourceMessages.spans, all: "All" };

/** A step of the funnel, or a figure beside it. */
type FunnelStep = Exclude<keyof FunnelCounts, "uninvited">;

/** "in the last 30 days", or "since the beginning". */
const inSpan = (span: FunnelSpan) => (span === "all" ? "since the beginning" : `in the last ${SPANS[span]}`);

export const funnelMessages = {
  title: "Funnel",
  state: ({ visits, signups }: Pick<FunnelCounts, "visits" | "signups">, span: FunnelSpan) =>
    `${formatCount(visits, "visit")} and ${formatCount(signups, "person who signed up", "people who signed up")} ${inSpan(span)}.`,
  spans: SPANS,
  spansLabel: "Span",
  allSources: "All sources",
  /** Of the chart. @param source undefined: all of them. */
  chartTitle: (source: string | undefined) =>
    source === undefined ? "From a visit to a member" : `From ${source}`,
  chartLabel: (span: FunnelSpan) => `Bars: how far people came who signed up ${inSpan(span)}`,
  steps: {
    visits: "Visits",
    signups: "Signups",
    confirmed: "Confirmed",
    invited: "Invited",
    joined: "Joined",
  } satisfies Record<FunnelStep, string>,
  /** What a step's rate is a share of. */
  bases: { signups: "visits", confirmed: "signups", invited: "signups", joined: "invited" },
  /** "38.2% of signups" */
  rateOf: (rate: string, base: string) => `${rate} of ${base}`,
  step: "Step",
  count: "Count",
  rate: "Rate",
  uninvited: (count: number) => `${grouped(count)} more joined without an invitation.`,
  tableTitle: "The funnel by source",
  source: "Source",
  more: sourceMessages.more,
  about:
    "Signups are people, on the day of their first form and from its source. Confirmed, invited and joined say how far these same people came by now, however long ago they signed up; invited are those whose email did not come back. Visits are pages opened in that time, not people: who comes twice is counted twice, and who was imported made none. Days are those of UTC.",
  empty: "No visits or signups yet",
  emptyText: (span: FunnelSpan) =>
    `Nothing came ${inSpan(span)}. The funnel begins once people open the landing page or sign up.`,
} as const;
