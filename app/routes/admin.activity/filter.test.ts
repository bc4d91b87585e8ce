import { expect, it } from "vitest";
import { filterSearch, readFilter } from "./filter";

const read = (fields: Record<string, string>) => readFilter(new URLSearchParams(fields));
const NOTHING = { who: "", deed: "", outcome: "", from: "", to: "" };

it("asks for everything when nothing is chosen", () => {
  expect(read({ before: "x" })).toMatchObject({ ok: true, values: NOTHING, filter: {} });
  expect(read({ who: "", from: " " })).toMatchObject({ ok: true, values: NOTHING });
});

it("takes both days into the range", () => {
  expect(read({ from: "2026-11-20", to: "2026-11-21" })).toMatchObject({
    ok: true,
    filter: { from: Date.UTC(2026, 10, 20), until: Date.UTC(2026, 10, 22) },
  });
  expect(read({ from: "2026-11-21", to: "2026-11-21" }).ok).toBe(true);
});

it.each([
  [{ from: "2026-02-31" }, { from: "Please write a day like 2026-11-21." }],
  [{ to: "<b>yesterday</b>" }, { to: "Please write a day like 2026-11-21." }],
  [{ from: "2026-11-21", to: "2026-11-20" }, { to: "This day is before the first one." }],
  [{ outcome: "constructor" }, { outcome: "Please choose one of these." }],
])("says what is wrong with %j and keeps it", (fields, errors) => {
  expect(read(fields)).toEqual({ ok: false, values: { ...NOTHING, ...fields }, errors });
});

it("passes on what it does not know, which then matches nothing, but never a NUL", () => {
  expect(read({ who: "no\0body", deed: "frobnicate" })).toMatchObject({
    filter: { actor: "nobody", action: "frobnicate" },
  });
});

it("leaves what is any out of a link", () => {
  expect(filterSearch({ ...NOTHING, who: "a+b@example.com", from: "2026-11-20" })).toBe(
    "who=a%2Bb%40example.com&from=2026-11-20",
  );
});
