import { describe, expect, it } from "vitest";
import { PERIODS, periodsUntil } from "./periods";
import { utcDay } from "./utc-day";
import { startOfZonedDay, zonedDay } from "./zoned-day";

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 21, 8, 30);

describe("periods", () => {
  it.each(PERIODS)("of a %s have no gaps, and the last one contains now", (length) => {
    const periods = periodsUntil(NOW, length, "UTC");
    for (const [index, { until }] of periods.entries()) {
      expect(periods[index + 1]?.from ?? until).toBe(until);
    }
    const last = periods.at(-1)!;
    expect(NOW).toBeGreaterThanOrEqual(last.from);
    expect(NOW).toBeLessThan(last.until);
  });

  it("of a week begin on Monday, also on a Sunday", () => {
    for (const now of [NOW, Date.UTC(2026, 10, 22, 23, 59), Date.UTC(2026, 10, 16)]) {
      expect(utcDay(periodsUntil(now, "week", "UTC").at(-1)!.from)).toBe("2026-11-16");
    }
  });

  it("are named by their day, by their Monday, and by their month and year", () => {
    expect(periodsUntil(NOW, "day", "UTC").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["23 Oct", "21 Nov"]),
    );
    expect(periodsUntil(NOW, "week", "UTC").at(-1)?.name).toBe("16 Nov");
    const months = periodsUntil(NOW, "month", "UTC").map(({ name }) => name);
    expect([months[0], months[1], months.at(-1)]).toEqual(["December 2025", "January 2026", "November 2026"]);
  });

  it.each(PERIODS)("of a %s in a zone begin at its midnight, also when its clocks change", (length) => {
    const now = Date.UTC(2026, 10, 20, 23, 30);
    const periods = periodsUntil(now, length, "Europe/Berlin");
    for (const [index, { from, until, days }] of periods.entries()) {
      expect(periods[index + 1]?.from ?? until).toBe(until);
      expect([from, until - 1].map((at) => zonedDay(at, "Europe/Berlin"))).toEqual([days.from, days.to]);
      expect(from).toBe(startOfZonedDay(days.from, "Europe/Berlin"));
    }
    expect(periods.at(-1)?.name).toBe({ day: "21 Nov", week: "16 Nov", month: "November 2026" }[length]);
  });

  it("are 30 days, 26 weeks or 12 months", () => {
    expect(PERIODS.map((length) => periodsUntil(NOW, length, "UTC").length)).toEqual([30, 26, 12]);
  });
});
