import { expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { PERIODS, periodsUntil } from "~/lib/periods";
import { countByPeriod } from "~/services/submissions/period-counts.server";
import { storeSubmissions } from "../factories/submissions";
import { describeOnDatabases } from "./use-database";

/** A week after the clocks of Europe were set back. */
const NOW = Date.UTC(2026, 10, 1, 12);
const ZONES = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati"];

describeOnDatabases("submissions counted by the periods of a time zone on %s", ({ database }) => {
  it("are those of its days, weeks and months, whatever their hours", async () => {
    // Steps that are no divisor of a day meet every side of a midnight.
    const submissions = Array.from({ length: 400 }, (_, number) => ({
      kind: SUBMISSION_KINDS[number % SUBMISSION_KINDS.length]!,
      created_at: NOW - number * (hours(2) + minutes(7)),
    }));
    await storeSubmissions(database, submissions);
    await storeSubmissions(database, [{ created_at: NOW - days(3), state: "quarantined" }]);
    for (const timeZone of ZONES) {
      for (const length of PERIODS) {
        const periods = periodsUntil(NOW, length, timeZone);
        const expected = periods.map(({ from, until }) =>
          SUBMISSION_KINDS.map(
            (kind) =>
              submissions.filter(
                (each) => each.kind === kind && each.created_at >= from && each.created_at < until,
              ).length,
          ),
        );
        expect(await countByPeriod(database.read, periods), `${timeZone} by ${length}`).toEqual(expected);
      }
    }
  });

  it("are not counted where too many would be counted one by one, but are by days of UTC", async () => {
    const day = Date.UTC(2026, 9, 20);
    await database.write((trx) =>
      trx.insertInto("submission_days").values({ kind: "early-access", day, count: 1_000_000 }).execute(),
    );
    expect(await countByPeriod(database.read, periodsUntil(NOW, "day", "Asia/Tokyo"))).toBeUndefined();
    const counts = await countByPeriod(database.read, periodsUntil(NOW, "day", "UTC"));
    expect(counts?.flat().reduce((sum, count) => sum + count, 0)).toBe(1_000_000);
  });
});
