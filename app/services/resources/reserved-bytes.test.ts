import { describe, expect, it } from "vitest";
import { getReservedBytes } from "./reserved-bytes";

describe("what a file system reserves", () => {
  it("is what df counts neither as used nor as available", () => {
    // 1,000 in all, 570 used, 50 reserved, 380 available: df says 60 %.
    expect(getReservedBytes({ usagePercentage: 60, totalBytes: 1000, freeBytes: 380 })).toBeCloseTo(50);
  });

  it.each([
    ["a percentage of the whole", { usagePercentage: 60, totalBytes: 1000, freeBytes: 400 }],
    ["a rounded one", { usagePercentage: 60.2, totalBytes: 1000, freeBytes: 400 }],
    ["a full disk", { usagePercentage: 100, totalBytes: 1000, freeBytes: 0 }],
  ])("is nothing for %s", (_, usage) => expect(getReservedBytes(usage)).toBe(0));
});
