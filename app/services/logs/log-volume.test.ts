import { expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { getVolume, getVolumeRange } from "./log-volume";

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const NOON = Date.UTC(2026, 10, 21, 12);

it("covers the last 24 hours including this one when no day is selected", () => {
  const time = getVolumeRange({}, NOW, "UTC");
  const { per, columns } = getVolume(
    time,
    [
      { hour: NOON, level: "INFO", lines: 5 },
      { hour: NOON, level: "ERROR", lines: 2 },
      { hour: NOON, level: "NOTICE", lines: 3 },
      { hour: NOON - hours(23), level: "WARN", lines: 1 },
    ],
    { timeZone: "UTC" },
  );
  expect([per, columns.length]).toEqual(["hour", 24]);
  expect(columns.at(-1)).toEqual({
    name: "21 Nov 12:00",
    axisName: "12:00",
    filter: { from: "2026-11-21", fromTime: "12:00", to: "2026-11-21", toTime: "13:00" },
    isChosen: false,
    all: 10,
    levels: [2, 0, 5, 3],
  });
  expect(columns[0]).toEqual({
    name: "20 Nov 13:00",
    axisName: undefined,
    filter: { from: "2026-11-20", fromTime: "13:00", to: "2026-11-20", toTime: "14:00" },
    isChosen: false,
    all: 1,
    levels: [0, 1, 0, 0],
  });
  expect(columns[1]?.all).toBe(0);
  expect(columns.flatMap(({ axisName }) => axisName ?? [])).toEqual(["18:00", "21 Nov", "06:00", "12:00"]);
});

it("selected hours are shown among the hours around them, and earlier ones among those of their day", () => {
  const lastDay = { from: NOON - hours(23), until: NOON + hours(1) };
  expect(getVolumeRange({ from: NOON - hours(2), until: NOON - hours(1) }, NOW, "UTC")).toEqual(lastDay);
  expect(getVolumeRange({ from: NOW - minutes(3) }, NOW, "UTC")).toEqual(lastDay);
  const earlier = NOON - days(9);
  const itsDay = { from: earlier - hours(12), until: earlier + hours(12) };
  expect(getVolumeRange({ from: earlier, until: earlier + minutes(5) }, NOW, "UTC")).toEqual(itsDay);
  expect(getVolumeRange({ from: earlier + hours(11), until: earlier + hours(12) }, NOW, "UTC")).toEqual(
    itsDay,
  );
  const overMidnight = { from: earlier + hours(11), until: earlier + hours(14) };
  expect(getVolumeRange(overMidnight, NOW, "UTC")).toEqual({ ...itsDay, until: itsDay.until + days(1) });
  const selectedDays = { from: NOON - hours(36), until: NOON - hours(12) };
  expect(getVolumeRange(selectedDays, NOW, "UTC")).toEqual(selectedDays);
  const longer = { from: NOON - hours(40), until: NOON - hours(10) };
  expect(getVolumeRange(longer, NOW, "UTC")).toEqual(longer);
});

it("marks the columns of the selected times", () => {
  const time = getVolumeRange({}, NOW, "UTC");
  const choose = (from?: number, until?: number) =>
    getVolume(time, [], { chosen: { from, until }, timeZone: "UTC" })
      .columns.filter(({ isChosen }) => isChosen)
      .map(({ name }) => name);
  expect(choose(NOON - hours(1), NOON)).toEqual(["21 Nov 11:00"]);
  expect(choose(NOON - minutes(61), NOON - minutes(59))).toEqual(["21 Nov 10:00", "21 Nov 11:00"]);
  expect(choose(NOON)).toEqual(["21 Nov 12:00"]);
  // Whole days are all that the chart shows.
  expect(choose(NOON - hours(12), NOON + hours(12))).toEqual([]);
});

it("selects the last hour of a day up to its end", () => {
  const midnight = NOON + hours(12);
  const { columns } = getVolume({ from: midnight - hours(1), until: midnight + hours(1) }, [], {
    timeZone: "UTC",
  });
  expect(columns.map(({ filter }) => filter)).toEqual([
    { from: "2026-11-21", fromTime: "23:00", to: "2026-11-21", toTime: "" },
    { from: "2026-11-22", fromTime: "00:00", to: "2026-11-22", toTime: "01:00" },
  ]);
});

it("counts by hour up to three days, and by day beyond", () => {
  const select = (count: number) => {
    const time = getVolumeRange(
      { from: NOON - hours(12) - days(count), until: NOON - hours(12) },
      NOW,
      "UTC",
    );
    const { per, columns } = getVolume(time, [], { timeZone: "UTC" });
    return [per, columns.length];
  };
  expect(select(1)).toEqual(["hour", 24]);
  expect(select(3)).toEqual(["hour", 72]);
  expect(select(4)).toEqual(["day", 4]);
  expect(select(400)).toEqual(["day", 60]);
});

it("ends now without a last day, and begins 30 days before without a first day", () => {
  const midnight = NOON - hours(12);
  expect(getVolumeRange({ from: midnight }, NOW, "UTC")).toEqual({ from: midnight, until: NOON + hours(1) });
  expect(getVolumeRange({ until: NOON - hours(12) }, NOW, "UTC")).toEqual({
    from: NOON - hours(12) - days(30),
    until: NOON - hours(12),
  });
  // A range in the future is an hour without lines, not one that ends before it begins.
  expect(getVolumeRange({ from: NOON + days(9) }, NOW, "UTC")).toEqual({
    from: NOON,
    until: NOON + hours(1),
  });
});

it("begins with a whole day where the filter does not say when", () => {
  const start = Date.UTC(2026, 8, 22);
  const until = NOON + hours(1);
  expect(getVolumeRange({ from: start - days(50) }, NOW, "UTC")).toEqual({ from: start, until });
  expect(getVolumeRange({ until: NOON }, NOW, "UTC").from).toBe(Date.UTC(2026, 9, 22));
  // Berlin's clocks were set back on 25 October.
  const midnight = Date.UTC(2026, 10, 14, 23);
  expect(getVolumeRange({ until: midnight }, NOW, "Europe/Berlin").from).toBe(Date.UTC(2026, 9, 15, 22));
});

it("counts whole days of UTC, and selects them by times of the zone", () => {
  const from = Date.UTC(2026, 10, 4, 18, 30);
  const time = getVolumeRange({ from, until: from + days(5) }, NOW, "Asia/Kolkata");
  expect(time).toEqual({ from: Date.UTC(2026, 10, 4), until: Date.UTC(2026, 10, 10) });
  const { columns } = getVolume(time, [], { timeZone: "Asia/Kolkata" });
  expect(columns.map(({ name }) => name)).toEqual(["4 Nov", "5 Nov", "6 Nov", "7 Nov", "8 Nov", "9 Nov"]);
  expect(columns[0]?.filter).toEqual({
    from: "2026-11-04",
    fromTime: "05:30",
    to: "2026-11-05",
    toTime: "05:30",
  });
});

it("counts by the days of a time zone, where these begin with an hour, and else by those of UTC", () => {
  // A week in which Berlin's clocks were set back: its day of 25 hours is one column.
  const range = { from: Date.UTC(2026, 9, 20, 22), until: Date.UTC(2026, 9, 27, 23) };
  const counted = [0, 24, 25].map((later) => ({
    hour: Date.UTC(2026, 9, 24, 22) + hours(later),
    level: "INFO",
    lines: 1,
  }));
  const berlin = getVolume(range, counted, { timeZone: "Europe/Berlin" });
  expect(berlin.areDaysOfUtc).toBe(false);
  expect(berlin.columns.map(({ name, all }) => [name, all])).toEqual([
    ["21 Oct", 0],
    ["22 Oct", 0],
    ["23 Oct", 0],
    ["24 Oct", 0],
    ["25 Oct", 2],
    ["26 Oct", 1],
    ["27 Oct", 0],
  ]);
  expect(berlin.columns[4]?.filter).toEqual({
    from: "2026-10-25",
    fromTime: "",
    to: "2026-10-25",
    toTime: "",
  });
  expect(getVolume(range, counted, { timeZone: "Asia/Kolkata" })).toMatchObject({
    areDaysOfUtc: true,
    columns: expect.arrayContaining([expect.objectContaining({ name: "25 Oct", all: 2 })]),
  });
});

it("names hours by the wall clock, and tells one that comes again", () => {
  const range = { from: Date.UTC(2026, 9, 25, 0), until: Date.UTC(2026, 9, 25, 3) };
  const getColumns = (timeZone: string) => getVolume(range, [], { timeZone }).columns;
  expect(getColumns("Europe/Berlin").map(({ name }) => name)).toEqual([
    "25 Oct 02:00",
    "25 Oct 02:00 again",
    "25 Oct 03:00",
  ]);
  // The filter has no words for the second time: both columns select both hours.
  const bothHours = { from: "2026-10-25", fromTime: "02:00", to: "2026-10-25", toTime: "03:00" };
  expect(getColumns("Europe/Berlin").map(({ filter }) => filter)).toEqual([
    bothHours,
    bothHours,
    { ...bothHours, fromTime: "03:00", toTime: "04:00" },
  ]);
  expect(getColumns("Asia/Kolkata")[0]).toMatchObject({
    name: "25 Oct 05:30",
    filter: { from: "2026-10-25", fromTime: "05:30", to: "2026-10-25", toTime: "06:30" },
  });
});
