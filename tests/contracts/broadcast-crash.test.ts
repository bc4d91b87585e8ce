import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { TestDatabase } from "../databases";
import { dialects } from "../databases";
import { createTestBroadcasts } from "../factories/broadcast";
import { createMortalDatabase } from "../factories/mortal-database";
import { setImmediateTimer, waitUntil } from "../factories/outreach";
import { addDevices, names } from "../factories/push";
import { ScriptedPushSender, accepted, neverSettles } from "../fakes/scripted-push-sender";
import { useDatabase } from "./use-database";

describe.each(dialects)("a broadcast after a crash, on %s", (dialect) => {
  let place: TestDatabase;
  let database: Database;
  useDatabase(dialect, (opened, where) => {
    database = opened;
    place = where;
  });

  it.each(["before", "after"] as const)(
    "skips no device and repeats at most the messages in flight, when the process dies %s any write (R4)",
    async (moment) => {
      await addDevices(database, names(23));
      const concurrency = 5;
      let died = 0;
      for (let deathAt = 1; died === deathAt - 1; deathAt += 1) {
        const { clock, sender, confirm, send, getStats } = createTestBroadcasts(database);
        const id = await confirm();
        const { victim } = createMortalDatabase(database, { atWrite: deathAt, moment });
        await send({ concurrency, database: victim }).catch(() => (died += 1));
        await getStats(id);
        clock.forward(1);
        await send({ concurrency });
        expect(await getStats(id)).toMatchObject({ state: "finished", devices: 23, sent: 23 });
        expect(new Set(sender.endpoints).size).toBe(23);
        expect(sender.received.length).toBeLessThanOrEqual(23 + concurrency);
      }
      expect(died).toBeGreaterThan(5);
    },
  );

  it("is taken over by another instance within 35 s, when the lease has expired (R22)", async () => {
    await addDevices(database, names(7));
    const { clock, sender, createWorker, confirm, send, getStats } = createTestBroadcasts(
      database,
      () => neverSettles,
    );
    const id = await confirm();
    const { victim, kill } = createMortalDatabase(database);
    const crashing = send({ concurrency: 3, database: victim, setTimer: setImmediateTimer });
    await waitUntil(() => sender.received.length === 3);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    sender.script = () => accepted;
    const other = createWorker({ instance: "two" });
    await other.tick();
    expect(await getStats(id)).toMatchObject({ state: "sending", sent: 4, waiting: 3 });
    clock.forward(seconds(29));
    await other.tick();
    expect(sender.received).toHaveLength(7);
    clock.forward(seconds(6));
    await other.tick();
    expect(await getStats(id)).toMatchObject({ state: "finished", sent: 7 });
  });

  it("reaches each of 2,000 devices once when two instances send it (R22)", async () => {
    await addDevices(database, names(2_000));
    const otherDatabase = await place.open();
    const { broadcasts, createWorker, confirm, getStats } = createTestBroadcasts(database);
    const script = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return accepted;
    };
    const [sender, otherSender] = [new ScriptedPushSender(script), new ScriptedPushSender(script)];
    const id = await confirm();
    const workers = [
      createWorker({ instance: "one", concurrency: 20, sender }),
      createWorker({ instance: "two", concurrency: 20, sender: otherSender, database: otherDatabase }),
    ];
    for (const worker of workers) worker.start();
    await waitUntil(async () => (await broadcasts.find(id))?.state === "finished");
    await Promise.all(workers.map((worker) => worker.stop()));
    await otherDatabase.close();
    const reached = [...sender.endpoints, ...otherSender.endpoints];
    expect(reached).toHaveLength(2_000);
    expect(new Set(reached).size).toBe(2_000);
    expect(Math.min(sender.received.length, otherSender.received.length)).toBeGreaterThan(0);
    expect(await getStats(id)).toMatchObject({ state: "finished", devices: 2_000, sent: 2_000 });
  });
});
