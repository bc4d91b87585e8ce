import { expect, it } from "vitest";
import { chooseListPlan, type ListPlan, type SearchResults } from "./list-plan";
import { NEWEST_FIRST, type SubmissionFilter, type SubmissionOrder } from "./submission-filter";

const SEARCH: ListPlan = { by: "search" };
const FEW: ListPlan = { by: "few" };
const ORDERS = {
  newest: NEWEST_FIRST,
  oldest: { sort: "received", direction: "asc" },
  name: { sort: "name", direction: "asc" },
  address: { sort: "address", direction: "desc" },
} satisfies Record<string, SubmissionOrder>;
const scan = (order: keyof typeof ORDERS): ListPlan => ({ by: "scan", order: ORDERS[order] });

/** A filter, what its search finds, and the plan for each of the orders. */
const PLANS: [Omit<SubmissionFilter, "kind">, SearchResults, ListPlan[]][] = [
  [{}, "not-searched", [scan("newest"), scan("oldest"), scan("name"), scan("address")]],
  [{ through: 1 }, "not-searched", [scan("newest"), scan("oldest"), scan("name"), scan("address")]],
  [{ emailState: "open" }, "not-searched", [scan("newest"), scan("oldest"), scan("name"), scan("address")]],
  [{ choice: "other" }, "not-searched", [scan("newest"), scan("oldest"), FEW, FEW]],
  [{ inquiryState: "open" }, "not-searched", [scan("newest"), scan("oldest"), FEW, FEW]],
  [{ from: 0 }, "not-searched", [scan("newest"), scan("oldest"), FEW, FEW]],
  [{ until: 0 }, "not-searched", [scan("newest"), scan("oldest"), FEW, FEW]],
  [{ choice: "other", emailState: "open" }, "not-searched", [scan("newest"), scan("oldest"), FEW, FEW]],
  [{ emailState: "unsubscribed" }, "not-searched", [FEW, FEW, FEW, FEW]],
  [{ emailState: "suppressed", choice: "other" }, "not-searched", [FEW, FEW, FEW, FEW]],
  [{ search: "ada" }, "few", [FEW, FEW, FEW, FEW]],
  [{ search: "ada", choice: "other" }, "few", [FEW, FEW, FEW, FEW]],
  [{ search: "ada" }, "many", [SEARCH, scan("oldest"), scan("newest"), scan("newest")]],
  [
    { search: "ada", choice: "other" },
    "many",
    [scan("newest"), scan("oldest"), scan("newest"), scan("newest")],
  ],
  [{ search: "ada", through: 1 }, "many", [scan("newest"), scan("oldest"), scan("newest"), scan("newest")]],
  [{ search: "ada", emailState: "unsubscribed" }, "many", [FEW, FEW, scan("newest"), scan("newest")]],
];

it.each(PLANS)("the plan of %j with %s results", (filter, results, expected) => {
  const plans = Object.values(ORDERS).map((order) =>
    chooseListPlan({ kind: "early-access", ...filter }, order, results),
  );
  expect(plans).toEqual(expected);
});
