import { expect, it } from "vitest";
import {
  dayFields,
  describeFilterInWords,
  linkTo,
  listState,
  oneOf,
  shortText,
  toSearch,
} from "./list-state";

const list = listState(
  {
    q: shortText(5, "At most five."),
    kind: oneOf(["early", "late"]),
    from: dayFields.from,
    to: dayFields.to,
  },
  (parsed) => parsed,
);
const read = (fields: Record<string, string>) => list.read(new URLSearchParams(fields));
const NOTHING = { q: "", kind: "", from: "", to: "" };

it("has an empty filter for empty fields", () => {
  expect(read({ before: "x" })).toEqual({ ok: true, values: NOTHING, filter: {} });
  expect(read({ q: "", from: " " })).toMatchObject({ ok: true, values: NOTHING });
});

it("includes both days in the range", () => {
  expect(read({ from: "2026-11-20", to: "2026-11-21" })).toMatchObject({
    ok: true,
    filter: { from: Date.UTC(2026, 10, 20), to: Date.UTC(2026, 10, 22) },
  });
  expect(read({ from: "2026-11-21", to: "2026-11-21" }).ok).toBe(true);
});

it("means days of the reader's time zone, which may have 23 or 25 hours", () => {
  const search = new URLSearchParams({ from: "2026-03-29", to: "2026-03-29" });
  const filter = { from: Date.UTC(2026, 2, 28, 23), to: Date.UTC(2026, 2, 29, 22) };
  expect(list.read(search, "Europe/Berlin")).toMatchObject({ ok: true, filter });
  expect(list.readLoosely(search, "Europe/Berlin")).toMatchObject({ filter });
});

it("names the zone of its days where others read them", () => {
  const names = { q: "found by", from: "from", to: "to" };
  const options = { typed: ["q"], timeZone: "Europe/Berlin" };
  expect(describeFilterInWords({ q: "a", from: "2026-03-29", to: "" }, names, options)).toBe(
    'found by "a", from 2026-03-29 (Europe/Berlin)',
  );
  expect(describeFilterInWords({ q: "a", from: "", to: "" }, names, options)).toBe('found by "a"');
});

it.each([
  [{ q: "123456" }, { q: "At most five." }],
  [{ from: "2026-02-31" }, { from: "Please enter a day like 2026-11-21." }],
  [{ to: "<b>yesterday</b>" }, { to: "Please enter a day like 2026-11-21." }],
  [{ from: "2026-11-21", to: "2026-11-20" }, { to: "This day is before the first one." }],
  [{ kind: "constructor" }, { kind: "Please choose one of these." }],
])("reports the error of %j and keeps the value", (fields, errors) => {
  expect(read(fields)).toEqual({ ok: false, values: { ...NOTHING, ...fields }, errors });
});

it("ignores invalid values when it is read loosely", () => {
  expect(list.readLoosely(new URLSearchParams({ q: "abc", kind: "constructor" }))).toEqual({
    values: { ...NOTHING, q: "abc" },
    filter: { q: "abc" },
  });
});

it("ignores a last day before the first one when it is read loosely", () => {
  expect(list.readLoosely(new URLSearchParams({ from: "2026-11-21", to: "2026-11-20" }))).toEqual({
    values: { ...NOTHING, from: "2026-11-21" },
    filter: { from: Date.UTC(2026, 10, 21) },
  });
});

it("removes NULs", () => {
  expect(read({ q: "no\0b" })).toMatchObject({ filter: { q: "nob" } });
});

it("omits empty values from a link", () => {
  expect(toSearch({ ...NOTHING, q: "a+b@example.com", from: "2026-11-20" })).toBe(
    "q=a%2Bb%40example.com&from=2026-11-20",
  );
  expect(linkTo("/list", { ...NOTHING, past: 12, step: undefined, id: ["a", "b"] })).toBe(
    "/list?past=12&id=a&id=b",
  );
  expect(linkTo("/list", { id: [] })).toBe("/list");
  expect(linkTo("/list#rows", { past: 12 })).toBe("/list?past=12#rows");
});
