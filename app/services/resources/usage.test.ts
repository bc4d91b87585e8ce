import { describe, expect, it } from "vitest";
import { getReservedBytes } from "./usage";

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
