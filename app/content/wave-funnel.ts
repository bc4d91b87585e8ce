import { formatCount } from "~/lib/format-number";
import { funnelMessages } from "./funnel";

const { confirmed, invited, joined } = funnelMessages.steps;

/** Texts of how far the people of a wave came. */
export const waveFunnelMessages = {
  title: "Funnel of this wave",
  chartLabel: "Bars: how far the people of this wave came",
  steps: { people: "People", confirmed, invited, joined },
  /** What a step's rate is a share of. */
  bases: { confirmed: "people", invited: "people", joined: "invited" },
  tableTitle: "This wave by source",
  more: (count: number) => `${formatCount(count, "more source")} with fewer people are not shown.`,
  about:
    "People have an invitation of this wave, and are counted at the source of their first form. Confirmed, invited and joined say how far they came by now; invited are those whose email did not come back, joined or not.",
  /** While the wave is being sent. */
  later: "The funnel and the sources appear once its emails are sent.",
} as const;
