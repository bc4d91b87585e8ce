import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { createLogs } from "~/services/logs/logs.server";
import { newId } from "~/services/service-deps";
import { readAudit } from "../factories/accounts";
import { appendLines } from "../factories/logs";
import { createMortalDatabase, MOMENTS } from "../factories/mortal-database";
import { operator } from "../factories/outreach";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const line = (n: number) => `2026-11-21T08:00:00.000Z [INFO] line ${n}`;
const LINES = Array.from({ length: 30 }, (_, n) => line(n));

describeOnDatabases("deleting the log on %s", ({ database }) => {
  const clock = createTestClock();
  const on = (database: Database) => {
    const store = new DatabaseLogStore(database);
    return { store, logs: createLogs({ database, store, clock, newId, keep: { days: 30, megabytes: 10 } }) };
  };
  const listRows = () => database.read.selectFrom("log_lines").selectAll().execute();

  // Its two writes, and the first three of the sweep.
  const moments = [1, 2, 3, 4, 5].flatMap((atWrite) => MOMENTS.map((moment) => ({ atWrite, moment })));
  // R5
  it.each(moments)("killed $moment write $atWrite leaves all lines or none, audited", async (death) => {
    await appendLines(on(database).store, LINES);
    const { victim } = createMortalDatabase(database, death);
    const { logs } = on(victim);
    const deletion = logs.deleteAll(operator).then(() => logs.sweep());
    await Promise.allSettled([deletion, appendLines(on(database).store, [line(30)])]);

    const { lines } = await on(database).store.page({}, { limit: 100 });
    const isDone = death.atWrite > 2 || (death.atWrite === 2 && death.moment === "after");
    // The line that was added meanwhile counts only when it was added before the deletion.
    const [{ subject = "", outcome = "" } = {}] = await readAudit(database);
    if (isDone) {
      expect([outcome, ["30 lines", "31 lines"].includes(subject)]).toEqual(["ok", true]);
      expect(lines.length).toBe(subject === "30 lines" ? 1 : 0);
    } else {
      expect(lines.length).toBe(31);
      expect([outcome, subject]).toEqual(
        death.atWrite === 1 && death.moment === "before" ? ["", ""] : ["failed", "all"],
      );
    }
    const counts = await on(database).store.counts({});
    expect(counts.reduce((sum, count) => sum + count.lines, 0)).toBe(lines.length);

    // The next process continues the sweep.
    await on(database).logs.sweep();
    expect(await listRows()).toHaveLength(lines.length);
  });
});
