import { expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { createTestBroadcasts } from "../factories/broadcast";
import { createMortalDatabase, MOMENTS } from "../factories/mortal-database";
import { addDevices, names } from "../factories/push";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("a broadcast after a crash, on %s", ({ database }) => {
  // R4
  it.each(MOMENTS)("killed %s a write skips no device, repeats only those in flight", async (moment) => {
    await addDevices(database, names(23));
    const concurrency = 5;
    let died = 0;
    for (let deathAt = 1; died === deathAt - 1; deathAt += 1) {
      const { clock, sender, confirm, send, getStats } = createTestBroadcasts(database);
      const id = await confirm();
      const { victim } = createMortalDatabase(database, { atWrite: deathAt, moment });
      await send({ concurrency, database: victim }).catch(() => (died += 1));
      await getStats(id);
      clock.forward(seconds(5));
      await send({ concurrency });
      expect(await getStats(id)).toMatchObject({ state: "finished", devices: 23, sent: 23 });
      expect(new Set(sender.endpoints).size).toBe(23);
      expect(sender.received.length).toBeLessThanOrEqual(23 + concurrency);
    }
    expect(died).toBeGreaterThan(5);
  });
});
