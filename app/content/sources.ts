import { formatCount } from "~/lib/format-number";
import { formatShare } from "~/lib/percentage";
import type { Span } from "~/lib/spans";

const SPANS: Record<Span, string> = { month: "30 days", quarter: "90 days", year: "12 months" };

export const sourceMessages = {
  title: "Sources",
  /** The state of the screen: what came in the span. */
  state: (visits: number, signups: number, span: Span) =>
    `${formatCount(visits, "visit")} and ${formatCount(signups, "signup")} in the last ${SPANS[span]}.`,
  spans: SPANS,
  spansLabel: "Span",
  chartTitle: "Signups by source",
  chartLabel: (span: Span) => `Bars: signups by source, the last ${SPANS[span]}`,
  tableTitle: "Visits and signups by source",
  columns: { source: "Source", visits: "Visits", signups: "Signups", rate: "Rate" },
  /** Signups a hundred visits; nothing where no visit was counted. */
  rate: (signups: number, visits: number) => formatShare(signups, visits),
  more: (count: number) => `${formatCount(count, "more source")} ${count === 1 ? "is" : "are"} not shown.`,
  about:
    "A visit is a page opened from elsewhere, not a person: who comes twice is counted twice, and nobody is identified. A signup has the source of its sender’s first page in that tab: utm_source, utm_medium and utm_campaign of the link, else via, else the site that led here, else “direct”. It is “unknown” without JavaScript and before this was recorded, and “other” beyond 200 sources a day. Days are those of UTC.",
  empty: "No visits or signups yet",
  emptyText: (span: Span) =>
    `Nothing came in the last ${SPANS[span]}. Sources appear here once people open the landing page or sign up. Links with ?utm_source=newsletter are counted by that name.`,
  emptyChart: "No signups in this time.",
} as const;
