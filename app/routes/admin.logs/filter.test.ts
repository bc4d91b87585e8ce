import { expect, it } from "vitest";
import { filterSearch, logsAt, readFilter } from "./filter";

const read = (fields: Record<string, string>) => readFilter(new URLSearchParams(fields));
const NOTHING = { q: "", level: "", from: "", to: "" };

it("asks for everything when nothing is chosen", () => {
  expect(read({ past: "7" })).toEqual({ ok: true, values: NOTHING, filter: {} });
});

it("takes both days into the range, and levels in any case", () => {
  expect(read({ level: "error", from: "2026-11-20", to: "2026-11-21" })).toMatchObject({
    ok: true,
    filter: { level: "ERROR", from: Date.UTC(2026, 10, 20), until: Date.UTC(2026, 10, 22) },
  });
});

it.each([
  [{ q: "x".repeat(101) }, { q: "Please search for at most 100 characters." }],
  [{ level: "<B>" }, { level: "A level is a word like ERROR." }],
  [{ from: "2026-02-31" }, { from: "Please write a day like 2026-11-21." }],
  [{ from: "2026-11-21", to: "2026-11-20" }, { to: "This day is before the first one." }],
])("says what is wrong with %j and keeps it", (fields, errors) => {
  expect(read(fields)).toEqual({ ok: false, values: { ...NOTHING, ...fields }, errors });
});

it("leaves what is any out of a link", () => {
  expect(filterSearch({ ...NOTHING, q: "a b" })).toBe("q=a+b");
  expect(logsAt({ ...NOTHING, level: "WARN" }, { past: 12, live: "on" })).toBe(
    "/admin/logs?level=WARN&past=12&live=on",
  );
  expect(logsAt(NOTHING)).toBe("/admin/logs");
});
