import { expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import { getLogsOfTime, logsList } from "./logs-list";

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

const readTimes = (search: string) => logsList.read(new URLSearchParams(search));
const NOON = Date.UTC(2026, 10, 27, 12);

it.each([
  ["from=2026-11-27&fromTime=12:00&to=2026-11-27&toTime=13:00", NOON, NOON + hours(1)],
  ["from=2026-11-27&fromTime=12:05&to=2026-11-27", NOON + minutes(5), NOON + hours(12)],
  ["from=2026-11-26&to=2026-11-27&toTime=12:00", NOON - hours(36), NOON],
  ["from=2026-11-27&fromTime=12:00", NOON, undefined],
  ["to=2026-11-28&toTime=00:00", undefined, NOON + hours(12)],
])("filters by days and times: %s", (search, from, until) => {
  expect(readTimes(search)).toMatchObject({ ok: true, filter: { from, until } });
});

it("means times on the wall clock of the reader's zone, also on the day its clocks change", () => {
  const search = new URLSearchParams("from=2026-10-25&fromTime=12:00&to=2026-10-25&toTime=13:00");
  const from = Date.UTC(2026, 9, 25, 11);
  expect(logsList.read(search, "Europe/Berlin")).toMatchObject({ filter: { from, until: from + hours(1) } });
  expect(getLogsOfTime({ from: NOON }, "Asia/Tokyo")).toContain("from=2026-11-27&fromTime=21%3A00");
});

it("links to the lines of a time, in whole minutes around it", () => {
  const until = NOON + hours(12) - minutes(1);
  expect(getLogsOfTime({ from: NOON + 59_000, until }, "UTC")).toBe(
    "/admin/logs?view=time&from=2026-11-27&fromTime=12%3A00&to=2026-11-28&toTime=00%3A00",
  );
  expect(getLogsOfTime({ from: NOON }, "UTC")).toBe("/admin/logs?view=time&from=2026-11-27&fromTime=12%3A00");
});

it("links to all lines of a time over which the clocks are set back", () => {
  const from = Date.UTC(2026, 9, 25, 0, 59);
  const url = new URL(
    getLogsOfTime({ from, until: from + minutes(5) }, "Europe/Berlin"),
    "https://localhost",
  );
  expect(logsList.read(url.searchParams, "Europe/Berlin")).toMatchObject({
    ok: true,
    filter: { from, until: from + minutes(66) },
  });
});

it.each([
  ["from=2026-11-27&fromTime=24:00", { fromTime: "Please enter a time like 14:05." }],
  ["to=2026-11-27&toTime=noon", { toTime: "Please enter a time like 14:05." }],
  ["fromTime=12:00", { fromTime: "Please choose the day, too." }],
  ["from=2026-11-27&toTime=12:00", { toTime: "Please choose the day, too." }],
  [
    "from=2026-11-27&fromTime=12:00&to=2026-11-27&toTime=12:00",
    { toTime: "This time is not after the first one." },
  ],
  ["from=2026-11-27&fromTime=12:00&to=2026-11-26&toTime=13:00", { to: "This day is before the first one." }],
])("rejects %s", (search, errors) => {
  expect(readTimes(search)).toEqual(expect.objectContaining({ ok: false, errors }));
});

it("leaves out the time of a day that it leaves out when it is read loosely", () => {
  const search = new URLSearchParams("from=2026-11-28&to=2026-11-27&toTime=12:00");
  expect(logsList.readLoosely(search)).toMatchObject({
    values: { from: "2026-11-28", to: "", toTime: "" },
    filter: { from: NOON + hours(12), until: undefined },
  });
});
