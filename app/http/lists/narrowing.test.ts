import { expect, it } from "vitest";
import { parseNarrowing } from "~/services/audiences/narrowing";
import { readNarrowing, readNarrowingLoosely, toNarrowingValues } from "./narrowing";

const read = (fields: Record<string, string>) => readNarrowing(new URLSearchParams(fields), "Europe/Berlin");

it.each([
  ["1500", 1500],
  ["1,500", 1500],
  ["1.500", 1500],
  ["1 500", 1500],
  ["100,000", 100_000],
])("reads %j as the number of people %i", (limit, count) => {
  const narrowing = read({ limit });
  expect(narrowing.ok && parseNarrowing(narrowing.narrowing).limit).toBe(count);
});

it.each(["0", "1.5", "2,50", "-3", "100,001", "many"])("refuses %j as a number of people", (limit) => {
  expect(read({ limit })).toMatchObject({ ok: false, errors: { limit: /.+/ } });
});

const campaign = "01a1fd88-d3e9-7125-a3db-0e87073f2070";
it.each<Record<string, string>>([{ campaign }, { campaign, got: "failed" }, { pick: "newest", limit: "5" }])(
  "fills the form with %j as it was sent",
  (fields) => {
    const typed = read(fields);
    const stored = typed.ok ? toNarrowingValues(parseNarrowing(typed.narrowing)) : undefined;
    expect(stored).toEqual(typed.values);
  },
);

it.each<Record<string, string>>([
  { limit: "none" },
  { got: "failed" },
  { from: "2026-10-02", to: "2026-02-30" },
])("leaves %j out where it is not complete, and no other field", (fields) => {
  const { limit: _limit, got: _got, to: _to, ...valid } = fields;
  const typed = new URLSearchParams({ company: "acme", ...fields });
  const expected = read({ company: "acme", ...valid });
  expect(readNarrowingLoosely(typed, "Europe/Berlin")).toBe(expected.ok && expected.narrowing);
});
