import { expect, it } from "vitest";
import { days, hours } from "~/lib/durations";
import { getVolume, getVolumeRange } from "./volume";

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const NOON = Date.UTC(2026, 10, 21, 12);

it("covers the last 24 hours including this one when no day is selected", () => {
  const time = getVolumeRange({}, NOW);
  const { per, columns } = getVolume(time, [
    { hour: NOON, level: "INFO", lines: 5 },
    { hour: NOON, level: "ERROR", lines: 2 },
    { hour: NOON, level: "NOTICE", lines: 3 },
    { hour: NOON - hours(23), level: "WARN", lines: 1 },
  ]);
  expect([per, columns.length]).toEqual(["hour", 24]);
  expect(columns.at(-1)).toEqual({
    name: "21 Nov 12:00",
    axisName: "12:00",
    value: "2026-11-21T12",
    all: 10,
    levels: [2, 0, 5, 3],
  });
  expect(columns[0]).toEqual({
    name: "20 Nov 13:00",
    axisName: undefined,
    value: "2026-11-20T13",
    all: 1,
    levels: [0, 1, 0, 0],
  });
  expect(columns[1]?.all).toBe(0);
  expect(columns.flatMap(({ axisName }) => axisName ?? [])).toEqual(["18:00", "21 Nov", "06:00", "12:00"]);
});

it("a selected hour keeps the hours around it, and an earlier one those of its day", () => {
  const lastDay = { from: NOON - hours(23), until: NOON + hours(1) };
  expect(getVolumeRange({ hour: NOON - hours(2) }, NOW)).toEqual(lastDay);
  const earlier = NOON - days(9);
  const itsDay = { from: earlier - hours(12), until: earlier + hours(12) };
  expect(getVolumeRange({ hour: earlier }, NOW)).toEqual(itsDay);
  const selectedDays = { from: NOON - hours(36), until: NOON - hours(12) };
  expect(getVolumeRange({ ...selectedDays, hour: NOON - hours(20) }, NOW)).toEqual(selectedDays);
});

it("counts by hour up to three days, and by day beyond", () => {
  const select = (count: number) => {
    const time = getVolumeRange({ from: NOON - hours(12) - days(count), until: NOON - hours(12) }, NOW);
    const { per, columns } = getVolume(time, []);
    return [per, columns.length];
  };
  expect(select(1)).toEqual(["hour", 24]);
  expect(select(3)).toEqual(["hour", 72]);
  expect(select(4)).toEqual(["day", 4]);
  expect(select(400)).toEqual(["day", 60]);
});

it("ends now without a last day, and begins 30 days before without a first day", () => {
  expect(getVolumeRange({ from: NOON }, NOW)).toEqual({ from: NOON, until: NOON + hours(1) });
  expect(getVolumeRange({ until: NOON - hours(12) }, NOW)).toEqual({
    from: NOON - hours(12) - days(30),
    until: NOON - hours(12),
  });
  // A range in the future is an hour without lines, not one that ends before it begins.
  expect(getVolumeRange({ from: NOON + days(9) }, NOW)).toEqual({ from: NOON, until: NOON + hours(1) });
});
