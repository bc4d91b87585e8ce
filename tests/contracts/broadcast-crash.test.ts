import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { TestDatabase } from "../databases";
import { dialects } from "../databases";
import { addDevices, createTestBroadcasts, names } from "../factories/broadcast";
import { createMortalDatabase } from "../factories/mortal-database";
import { setImmediateTimer, waitUntil } from "../factories/outreach";
import { ScriptedPushSender, accepted, neverSettles } from "../fakes/scripted-push-sender";
import { useDatabase } from "./use-database";

describe.each(dialects)("a broadcast on %s", (dialect) => {
  let place: TestDatabase;
  let database: Database;
  useDatabase(dialect, (opened, where) => {
    database = opened;
    place = where;
  });

  describe("after a crash (R4)", () => {
    it.each(["before", "after"] as const)(
      "skips nobody and repeats at most what was in flight, whichever write the process dies %s",
      async (moment) => {
        await addDevices(database, names(23));
        const concurrency = 5;
        let died = 0;
        for (let deathAt = 1; died === deathAt - 1; deathAt += 1) {
          const { clock, sender, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
          const id = await confirmed();
          const { victim } = createMortalDatabase(database, { atWrite: deathAt, moment });
          await dispatcher({ concurrency, database: victim })
            .tick()
            .catch(() => (died += 1));
          await getStats(id);
          clock.forward(1);
          await dispatcher({ concurrency }).tick();
          expect(await getStats(id)).toMatchObject({ state: "finished", devices: 23, sent: 23 });
          expect(new Set(sender.endpoints).size).toBe(23);
          expect(sender.received.length).toBeLessThanOrEqual(23 + concurrency);
        }
        expect(died).toBeGreaterThan(5);
      },
    );

    it("is taken over by another instance when the lease has run out, within 35 s (R22)", async () => {
      await addDevices(database, names(7));
      const { clock, sender, dispatcher, confirmed, getStats } = createTestBroadcasts(
        database,
        () => neverSettles,
      );
      const id = await confirmed();
      const { victim, kill } = createMortalDatabase(database);
      const crashing = dispatcher({ concurrency: 3, database: victim, setTimer: setImmediateTimer }).tick();
      await waitUntil(() => sender.received.length === 3);
      kill();
      await expect(crashing).rejects.toThrow("killed");
      sender.script = () => accepted;
      const other = dispatcher({ instance: "two" });
      await other.tick();
      expect(await getStats(id)).toMatchObject({ state: "sending", sent: 4, waiting: 3 });
      clock.forward(seconds(29));
      await other.tick();
      expect(sender.received).toHaveLength(7);
      clock.forward(seconds(6));
      await other.tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 7 });
    });

    it("sends each of 2,000 once when two work on one ledger (R22)", async () => {
      await addDevices(database, names(2_000));
      const other = await place.open();
      const { sender, broadcasts, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
      const senders = [sender, new ScriptedPushSender()];
      for (const one of senders) {
        one.script = async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return accepted;
        };
      }
      const id = await confirmed();
      const both = [
        dispatcher({ instance: "one", concurrency: 20 }),
        dispatcher({ instance: "two", concurrency: 20, database: other, sender: senders[1]! }),
      ];
      for (const one of both) one.start();
      await waitUntil(async () => (await broadcasts.find(id))?.state === "finished");
      await Promise.all(both.map((one) => one.stop()));
      await other.close();
      const reached = senders.flatMap((one) => one.endpoints);
      expect(reached).toHaveLength(2_000);
      expect(new Set(reached).size).toBe(2_000);
      for (const one of senders) expect(one.received.length).toBeGreaterThan(0);
      expect(await getStats(id)).toMatchObject({ state: "finished", devices: 2_000, sent: 2_000 });
    });
  });
});
