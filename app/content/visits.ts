import { grouped } from "~/lib/format-number";

interface Count {
  readonly count: number;
  readonly isMore: boolean;
}

const number = ({ count, isMore }: Count) => `${isMore ? "more than " : ""}${grouped(count)}`;

/** "+60", "over +5,000" */
const plus = ({ count, isMore }: Count) => `${isMore ? "over " : ""}+${grouped(count)}`;

/** What is new to an operator. */
export const visitMessages = {
  mark: "New",
  plus,
  sinceVisit: "since your last visit",
  noneSinceVisit: "None since your last visit",
  inLastDay: (count: Count) => `${count.count === 0 ? "None" : plus(count)} in 24 hours`,
  /** A link to the new rows. */
  newRows: (count: Count) => `${number(count)} new since your last visit`,
  lastVisit: "Your last visit ended",
  filtered: "Only those new since your last visit.",
  /** @param time "2026-11-21 09:24" in the operator's zone, when that is not when the last visit ended. */
  filteredSince: (time: string) => `Only those received since ${time}.`,
  showAll: "Show all",
} as const;
