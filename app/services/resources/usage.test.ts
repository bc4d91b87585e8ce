import { describe, expect, it } from "vitest";
import {
  getReservedBytes,
  meetingLoad,
  meetingLoadPercentage,
  meetingTone,
  listOverLimits,
  usageTone,
} from "./usage";

/** Specification, sections 4 and 9, each limit at its edge. */
describe("the limits of the System Resources Monitor", () => {
  it.each([
    [0, "success"],
    [69.9, "success"],
    [70, "warning"],
    [89.9, "warning"],
    [90, "danger"],
    [100, "danger"],
  ])("a usage of %d percent is %s", (percentage, tone) => {
    expect(usageTone(percentage)).toBe(tone);
  });

  it.each([
    [0, "success", "Low", 0],
    [7, "success", "Low", 46.67],
    [8, "warning", "Medium", 53.33],
    [11, "warning", "Medium", 73.33],
    [12, "danger", "High", 80],
    [15, "danger", "High", 100],
    [16, "danger", "High", 100],
  ])("%d meetings are %s, a load called %s, and fill %d percent of the bar", (meetings, tone, load, full) => {
    expect(meetingTone(meetings)).toBe(tone);
    expect(meetingLoad(meetings)).toBe(load);
    expect(meetingLoadPercentage(meetings)).toBeCloseTo(full, 2);
  });

  it.each([
    [69.9, 79.9, 74.9, []],
    [70, 79.9, 74.9, ["memory"]],
    [69.9, 80, 74.9, ["cpu"]],
    [69.9, 79.9, 75, ["disk"]],
    [100, 100, 100, ["memory", "cpu", "disk"]],
  ])("memory %d, CPU %d and disk %d are over in %j", (memory, cpu, disk, parts) => {
    const usage = (usagePercentage: number) => ({ usagePercentage, totalBytes: 1, freeBytes: 1 });
    const over = listOverLimits({
      memory: usage(memory),
      cpu: { usagePercentage: cpu, coreCount: 1, coreUsages: { "0": cpu } },
      diskUsage: usage(disk),
    });
    expect(over.map(({ part }) => part)).toEqual(parts);
  });
});

describe("the reserved bytes of a file system", () => {
  it("are neither used nor available, as df counts", () => {
    // 1,000 in all, 570 used, 50 reserved, 380 available: df says 60 %.
    expect(getReservedBytes({ usagePercentage: 60, totalBytes: 1000, freeBytes: 380 })).toBeCloseTo(50);
  });

  it.each([
    ["a percentage of the whole", { usagePercentage: 60, totalBytes: 1000, freeBytes: 400 }],
    ["a rounded one", { usagePercentage: 60.2, totalBytes: 1000, freeBytes: 400 }],
    ["a full disk", { usagePercentage: 100, totalBytes: 1000, freeBytes: 0 }],
  ])("are 0 for %s", (_, usage) => expect(getReservedBytes(usage)).toBe(0));
});
