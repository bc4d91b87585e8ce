import { expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { logsList } from "./filter";

const read = (level: string) => logsList.read(new URLSearchParams({ level }));

it("accepts levels in any case", () => {
  expect(read("error")).toMatchObject({ ok: true, filter: { level: "ERROR" } });
});

it("rejects an invalid level and keeps it", () => {
  expect(read("<b>")).toMatchObject({
    ok: false,
    values: { level: "<B>" },
    errors: { level: "A level is a word like ERROR." },
  });
});

it("filters one hour, within the selected days", () => {
  const search = new URLSearchParams({ from: "2026-11-20", to: "2026-11-27", hour: "2026-11-27T14" });
  const from = Date.UTC(2026, 10, 27, 14);
  expect(logsList.read(search)).toMatchObject({ ok: true, filter: { from, until: from + hours(1) } });
});

it.each(["2026-11-27T24", "2026-02-30T10", "2026-11-27", "14"])("rejects %s as an hour", (hour) => {
  expect(logsList.read(new URLSearchParams({ hour }))).toMatchObject({
    ok: false,
    errors: { hour: "Please enter an hour like 2026-11-21T14." },
  });
});
