import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createManualSleep, setImmediateTimer } from "../factories/outreach";
import { createLeaseTime } from "../factories/time";
import { createToyQueue } from "../factories/toy-queue";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const never = () => new Promise<string>(() => undefined);
const atOnce = async () => "sent";

/** Makes a database that runs `hook` after each committed write. */
const afterWrites = (database: Database, hook: () => void | Promise<void>): Database => ({
  ...database,
  write: async (work) => {
    const value = await database.write(work);
    await hook();
    return value;
  },
});

/** Makes a database that cannot be reached while `isAway`. */
const whileReachable = (database: Database, isAway: () => boolean): Database => ({
  ...database,
  write: async (work) => {
    if (isAway()) throw new Error("the database is away");
    return database.write(work);
  },
});

describeOnDatabases("the queue on %s", ({ database }) => {
  it("delivers each job once and records its result", async () => {
    const { delivered, rows, worker } = await createToyQueue(database, "abcde", atOnce);
    await worker().tick();
    expect(delivered).toEqual(["a", "b", "c", "d", "e"]);
    expect(await rows()).toEqual({ a: "sent 1", b: "sent 1", c: "sent 1", d: "sent 1", e: "sent 1" });
  });

  // R3, R4
  it("has exactly as many jobs claimed and in flight as its concurrency", async () => {
    const { crash, delivered, rows } = await createToyQueue(database, "abcde", (id) =>
      id === "a" ? atOnce() : never(),
    );
    crash();
    await yieldUntil(() => delivered.length >= 4);
    const states = { a: "sent 1", b: "claimed 0", c: "claimed 0", d: "claimed 0", e: "pending 0" };
    expect(await rows()).toEqual(states);
  });

  it("writes nothing for results that came in time for the write before", async () => {
    const late = Promise.withResolvers<string>();
    const { delivered, rows, worker } = await createToyQueue(database, "abc", (id) =>
      id === "a" ? atOnce() : late.promise,
    );
    let writes = 0;
    const counted: Database = {
      ...database,
      write: (work) => {
        writes += 1;
        if (delivered.length === 3) late.resolve("sent");
        return database.write(work);
      },
    };
    const counting = worker({ database: counted });
    counting.start();
    await yieldUntil(async () => (await rows()).c === "sent 1");
    let turns = 0;
    await yieldUntil(() => (turns += 1) > 50);
    expect(writes, "one looks for orphans, one claims, one records").toBe(3);
    await counting.stop();
  });

  it("writes nothing while nothing is due", async () => {
    const { add, clock, rows, worker } = await createToyQueue(database, "", atOnce);
    let writes = 0;
    const one = worker({ database: afterWrites(database, () => void (writes += 1)) });
    await one.tick();
    expect(writes, "it looks for orphans").toBe(1);
    await add("later", clock() + 1);
    await one.tick();
    expect(writes).toBe(1);
    clock.forward(1);
    await one.tick();
    expect(await rows()).toEqual({ later: "sent 1" });
  });

  it.each([
    ["retries-first", ["a", "b", "d", "c"]],
    ["first-tries-first", ["c", "b", "d", "a"]],
  ] as const)("begins with what its order %s puts first", async (order, ids) => {
    for (const concurrency of [2, 4]) {
      const { add, delivered, worker } = await createToyQueue(database, "", atOnce, order);
      await add("d", 1);
      await add("c", 0);
      await add("b", 1);
      await add("a", 2);
      await worker({ concurrency }).tick();
      expect(delivered).toEqual(ids);
      await database.write((trx) => trx.schema.dropTable("toys").execute());
    }
  });

  it("looks again at once when it was woken during its last look", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { add, delivered, rows, worker } = await createToyQueue(database, "a", () => promise);
    const { delays, setTimer } = createManualSleep();
    const adding = afterWrites(database, async () => {
      const found = await rows();
      if (found.a !== "claimed 0" || found.b) return;
      await add("b");
      one.wake();
    });
    const one = worker({ database: adding, setTimer });
    one.start();
    await yieldUntil(() => delivered.length === 2 || delays.length > 0);
    expect(delivered).toEqual(["a", "b"]);
    resolve("sent");
    await one.stop();
  });

  it("keeps to its rate per second, and waits no longer than that requires", async () => {
    const times: number[] = [];
    const { clock, worker } = await createToyQueue(database, "abcdefghijkl", async () => {
      times.push(clock());
      return "sent";
    });
    const limited = worker({
      rate: new TokenBucket(5, clock()),
      setTimer: (ms, callback) =>
        setImmediateTimer(ms, () => {
          clock.forward(ms);
          callback();
        }),
    });
    limited.start();
    await yieldUntil(() => times.length === 12);
    await limited.stop();
    expect(Math.min(...times.slice(5).map((time, index) => time - times[index]!))).toBeGreaterThanOrEqual(
      1000,
    );
    expect(times.at(-1)! - times[0]!).toBeLessThan(2600);
  });

  // R28
  it("fails a job that throws for good, and no other", async () => {
    const { rows, worker } = await createToyQueue(database, "ab", async (id) => {
      if (id === "a") throw new Error("broken");
      return "sent";
    });
    await worker().tick();
    expect(await rows()).toEqual({ a: "failed 1", b: "sent 1" });
  });

  it("records what must not be delivered without an attempt", async () => {
    const { delivered, rows, worker } = await createToyQueue(database, ["suppressed"], atOnce);
    await worker().tick();
    expect(delivered).toEqual([]);
    expect(await rows()).toEqual({ suppressed: "skipped 0" });
  });

  describe("after a crash", () => {
    /** Creates a queue whose worker has crashed with these jobs in flight; later deliveries succeed. */
    async function crashInFlight(...ids: readonly string[]) {
      let isDown = true;
      const queue = await createToyQueue(database, ids, () => (isDown ? never() : atOnce()));
      queue.crash();
      await yieldUntil(() => queue.delivered.length === ids.length);
      isDown = false;
      return queue;
    }

    // R3
    it("recovers what its instance had in flight within 5 s of its death", async () => {
      const { clock, rows, worker } = await crashInFlight("a", "b");
      const restarted = worker();
      await restarted.tick();
      expect(await rows()).toEqual({ a: "claimed 0", b: "claimed 0" });
      clock.forward(seconds(5));
      await restarted.tick();
      expect(await rows()).toEqual({ a: "sent 2 resent", b: "sent 2 resent" });
    });

    // R22
    it("leaves another instance's jobs alone until their lease ends", async () => {
      const { clock, rows, worker } = await crashInFlight("a");
      const other = worker({ instance: "two" });
      clock.forward(seconds(29));
      await other.tick();
      expect(await rows()).toEqual({ a: "claimed 0" });
      clock.forward(seconds(6));
      await other.tick();
      expect(await rows()).toEqual({ a: "sent 2 resent" });
    });

    // R22
    it("leaves the jobs of an instance alone whose name begins as its own", async () => {
      const { clock, crash, delivered, rows, worker } = await createToyQueue(database, "a", never);
      crash({ instance: "server-1" });
      await yieldUntil(() => delivered.length === 1);
      clock.forward(seconds(20));
      await worker({ instance: "server-2" }).tick();
      expect(await rows()).toEqual({ a: "claimed 0" });
    });

    it("delivers nothing again that is known to be sent", async () => {
      const { clock, delivered, rows, worker } = await crashInFlight("known");
      clock.forward(seconds(31));
      await worker().tick();
      expect([delivered, await rows()]).toEqual([["known"], { known: "sent 1" }]);
    });

    it("recovers a claim whose commit was reported as failed", async () => {
      const { clock, delivered, rows, worker } = await createToyQueue(database, "abcd", atOnce);
      let hasFailed = false;
      const failing = afterWrites(database, async () => {
        const isClaimed = Object.values(await rows()).includes("claimed 0");
        if (!isClaimed || hasFailed) return;
        hasFailed = true;
        throw new Error("connection lost at commit");
      });
      const one = worker({ database: failing });
      await expect(one.tick()).rejects.toThrow("connection lost");
      await one.tick();
      expect(delivered).toEqual(["d"]);
      clock.forward(seconds(35));
      await one.tick();
      const states = { a: "sent 2 resent", b: "sent 2 resent", c: "sent 2 resent", d: "sent 1" };
      expect(await rows()).toEqual(states);
    });
  });

  describe("with two living processes of one name", () => {
    // R40
    it("repeats nothing that the other one renews, however long it takes", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "ab", () => promise);
      const { delays, setTimer, fire } = createManualSleep();
      const one = worker({ setTimer });
      one.start();
      await yieldUntil(() => delivered.length === 2 && delays.length > 0);
      const two = worker();
      for (let second = 0; second < 60; second += 1) {
        clock.forward(seconds(1));
        const sleeps = delays.length;
        await fire();
        await yieldUntil(() => delays.length > sleeps);
        // Starts again every twenty seconds.
        await (second % 20 === 0 ? worker() : two).tick();
      }
      expect(delivered).toEqual(["a", "b"]);
      resolve("sent");
      await one.stop();
      expect(await rows()).toEqual({ a: "sent 1", b: "sent 1" });
    });

    // R40
    it("takes no job that the other one cannot renew for some seconds, once it has started", async () => {
      const { add, clock, crash, delivered, rows, worker } = await createToyQueue(database, "", never);
      const started = worker();
      await started.tick();
      clock.forward(seconds(5));
      await add("a");
      crash();
      await yieldUntil(() => delivered.length === 1);
      clock.forward(seconds(5));
      await started.tick();
      expect([delivered, await rows()]).toEqual([["a"], { a: "claimed 0" }]);
    });
  });

  describe("with a job that its caller waits for", () => {
    const result = { state: "sent", detail: "250 OK" };

    it("delivers it at once, whatever else is in flight", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { delivered, rows, worker, insert } = await createToyQueue(database, "ab", () => promise);
      const one = worker({ concurrency: 2 });
      const rest = one.tick();
      await yieldUntil(() => delivered.length === 2);
      await one.deliverNow(insert("now"), async () => result);
      expect(await rows()).toEqual({ a: "claimed 0", b: "claimed 0", now: "sent 1" });
      resolve("sent");
      await rest;
    });

    it("delivers nothing when there is nothing to insert", async () => {
      const { rows, worker } = await createToyQueue(database, "", atOnce);
      let deliveries = 0;
      const deliver = async () => {
        deliveries += 1;
        return result;
      };
      await worker().deliverNow(async () => undefined, deliver);
      expect([deliveries, await rows()]).toEqual([0, {}]);
    });

    it("fails it when it throws, and passes that on", async () => {
      const { rows, worker, insert } = await createToyQueue(database, "", atOnce);
      const delivering = worker().deliverNow(insert("now"), () => Promise.reject(new Error("no such toy")));
      await expect(delivering).rejects.toThrow("no such toy");
      expect(await rows()).toEqual({ now: "failed 1" });
    });

    // R32
    it("keeps it from other instances for ten minutes, and loses it to one after a crash", async () => {
      const { clock, delivered, rows, worker, insert } = await createToyQueue(database, "", atOnce);
      const { delays, setTimer, fire } = createManualSleep();
      const one = worker({ setTimer });
      one.start();
      const late = Promise.withResolvers<typeof result>();
      const delivering = one.deliverNow(insert("now"), () => late.promise);
      await yieldUntil(async () => (await rows()).now !== undefined);
      const two = worker({ instance: "two" });
      for (let passed = 0; passed < minutes(10); passed += seconds(10)) {
        clock.forward(seconds(10));
        const sleeps = delays.length;
        await fire();
        await yieldUntil(() => delays.length > sleeps);
        await two.tick();
      }
      expect(await rows()).toEqual({ now: "claimed 0" });
      await one.stop();
      clock.forward(seconds(31));
      await two.tick();
      expect([delivered, await rows()]).toEqual([["now"], { now: "sent 2 resent" }]);
      late.resolve(result);
      await delivering;
      expect(await rows()).toEqual({ now: "sent 1 resent" });
    });

    it("recovers it when its result could not be recorded", async () => {
      const { clock, delivered, rows, worker, insert } = await createToyQueue(database, "", atOnce);
      let isAway = false;
      const one = worker({ database: whileReachable(database, () => isAway) });
      const delivering = one.deliverNow(insert("now"), async () => {
        isAway = true;
        return result;
      });
      await expect(delivering).rejects.toThrow("the database is away");
      isAway = false;
      clock.forward(seconds(31));
      await one.tick();
      expect([delivered, await rows()]).toEqual([["now"], { now: "sent 2 resent" }]);
    });
  });

  describe("with several instances", () => {
    // R22
    it("takes nothing that another one claims while it waits for the database", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "ab", () => promise);
      const leaseTime = { ...createLeaseTime(clock), restartsWithMachine: true };
      const one = worker({ leaseTime });
      let claiming: Promise<void> | undefined;
      const waiting: Database = {
        ...database,
        write: async (work) => {
          if (!claiming) {
            clock.forward(1);
            claiming = one.tick();
            await yieldUntil(() => delivered.length === 2);
          }
          return database.write(work);
        },
      };
      await worker({ instance: "two", leaseTime, database: waiting }).tick();
      expect(await rows()).toEqual({ a: "claimed 0", b: "claimed 0" });
      resolve("sent");
      await claiming;
      expect(delivered).toEqual(["a", "b"]);
    });

    // R22
    it("delivers a job once whichever of two instances claims it", async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `toy-${index + 10}`);
      const { delivered, worker } = await createToyQueue(database, ids, atOnce);
      await Promise.all([worker().tick(), worker({ instance: "two" }).tick()]);
      expect(delivered.toSorted()).toEqual(ids);
    });

    // R22, R32
    it("renews the lease of a job that takes ten minutes", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "a", () => promise);
      const { delays, setTimer, fire } = createManualSleep();
      const one = worker({ setTimer });
      one.start();
      await yieldUntil(() => delivered.length === 1);
      const two = worker({ instance: "two" });
      for (let passed = 0; passed < minutes(10); passed += seconds(10)) {
        clock.forward(seconds(10));
        const sleeps = delays.length;
        await fire();
        await yieldUntil(() => delays.length > sleeps);
        await two.tick();
      }
      expect(delivered).toEqual(["a"]);
      resolve("sent");
      await one.stop();
      expect(await rows()).toEqual({ a: "sent 1" });
    });

    it.each([
      ["records a late acceptance of a job that another instance took over", "sent", "sent 1 resent"],
      ["drops any other late result of a job that another instance took over", "gone", "failed 2 resent"],
    ])("%s", async (_, result, row) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "a", async () =>
        delivered.length === 1 ? promise : "failed",
      );
      const one = worker().tick();
      await yieldUntil(() => delivered.length === 1);
      clock.forward(seconds(31));
      await worker({ instance: "two" }).tick();
      expect(await rows()).toEqual({ a: "failed 2 resent" });
      resolve(result);
      await one;
      expect(await rows()).toEqual({ a: row });
    });

    // R22
    it("takes no job from the instance that delivers it by a late result of its own", async () => {
      const results = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
      const { clock, delivered, rows, worker } = await createToyQueue(
        database,
        "a",
        () => results[delivered.length - 1]!.promise,
      );
      const one = worker().tick();
      await yieldUntil(() => delivered.length === 1);
      clock.forward(seconds(31));
      const two = worker({ instance: "two" }).tick();
      await yieldUntil(() => delivered.length === 2);
      results[0]!.resolve("failed");
      await one;
      expect(await rows()).toEqual({ a: "claimed 1 resent" });
      results[1]!.resolve("sent");
      await two;
      expect(await rows()).toEqual({ a: "sent 2 resent" });
    });

    it("does not recover its own jobs after it was suspended", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "a", () => promise);
      let isSuspending = false;
      const suspending = afterWrites(database, () => {
        // Right after it has renewed its leases.
        if (isSuspending) clock.forward(minutes(1));
        isSuspending = false;
      });
      const { delays, setTimer, fire } = createManualSleep();
      const one = worker({ database: suspending, setTimer });
      one.start();
      await yieldUntil(() => delivered.length === 1 && delays.length > 0);
      isSuspending = true;
      clock.forward(seconds(10));
      const sleeps = delays.length;
      await fire();
      await yieldUntil(() => delays.length > sleeps);
      expect(isSuspending).toBe(false);
      expect(await rows()).toEqual({ a: "claimed 0" });
      resolve("sent");
      await one.stop();
      expect(await rows()).toEqual({ a: "sent 1" });
    });
  });

  describe("when it is stopped", () => {
    it("begins nothing more, and records what finishes meanwhile", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { delivered, rows, worker } = await createToyQueue(database, "abcd", () => promise);
      const stopped = worker();
      stopped.start();
      await yieldUntil(() => delivered.length === 3);
      const stop = stopped.stop();
      resolve("sent");
      await stop;
      expect(await rows()).toEqual({ a: "sent 1", b: "sent 1", c: "sent 1", d: "pending 0" });
    });

    it("requeues, unchanged, what was claimed and not begun", async () => {
      const { delivered, rows, worker } = await createToyQueue(database, "ab", atOnce);
      let stopping: Promise<void> | undefined;
      const watched = afterWrites(database, async () => {
        if (Object.values(await rows()).includes("claimed 0")) stopping ??= stopped.stop();
      });
      const stopped = worker({ database: watched });
      stopped.start();
      await yieldUntil(() => stopping !== undefined);
      await stopping;
      expect(delivered).toEqual([]);
      expect(await rows()).toEqual({ a: "pending 0", b: "pending 0" });
    });

    // R21, R32
    it("waits 3 s for a delivery in flight, and leaves it claimed as a crash does", async () => {
      const { delivered, rows, worker } = await createToyQueue(database, "ab", never);
      let elapsed = 0;
      const { delays, setTimer, fire } = createManualSleep();
      const lines: object[] = [];
      const log = { error: () => undefined, info: (...line: unknown[]) => void lines.push(line) };
      const stopped = worker({ concurrency: 1, setTimer, elapsed: () => elapsed, log });
      stopped.start();
      await yieldUntil(() => delivered.length === 1 && delays.length === 1);
      let isStopped = false;
      const stopping = stopped.stop().then(() => (isStopped = true));
      await yieldUntil(() => delays.length === 2);
      elapsed = seconds(3) - 1;
      await fire();
      await yieldUntil(() => delays.length === 3);
      expect([delays.at(-1), isStopped]).toEqual([1, false]);
      elapsed = seconds(3);
      await fire();
      await stopping;
      expect(await rows()).toEqual({ a: "claimed 0", b: "pending 0" });
      expect(lines).toEqual([
        [{ inFlight: 1 }, "toys stops with work in flight; the next start recovers it"],
      ]);
    });

    it("ends at once while the database is away, and its next start recovers everything", async () => {
      let isAway = false;
      let hasFailed = false;
      const { clock, rows, worker } = await createToyQueue(database, "a", async () => {
        isAway = true;
        return "sent";
      });
      const { delays, setTimer } = createManualSleep();
      const log = { info: () => undefined, error: () => void (hasFailed = true) };
      const stopped = worker({ database: whileReachable(database, () => isAway), setTimer, log });
      stopped.start();
      await yieldUntil(() => hasFailed);
      const sleeps = delays.length;
      let isStopped = false;
      void stopped.stop().then(() => (isStopped = true));
      await yieldUntil(() => isStopped || delays.length > sleeps + 1);
      expect(isStopped).toBe(true);
      clock.forward(seconds(5));
      await worker().tick();
      expect(await rows()).toEqual({ a: "sent 2 resent" });
    });

    it("waits for what is in flight while the database is away, and records it when that is back", async () => {
      let isAway = false;
      let refusals = 0;
      const late = Promise.withResolvers<string>();
      const { rows, worker } = await createToyQueue(database, "ab", async (id) => {
        if (id === "b") return late.promise;
        isAway = true;
        return "sent";
      });
      const refusing = whileReachable(database, () => {
        if (isAway) refusals += 1;
        return isAway;
      });
      const stopped = worker({ database: refusing, setTimer: setImmediateTimer, elapsed: () => 0 });
      stopped.start();
      await yieldUntil(() => refusals > 0);
      let isStopped = false;
      const stopping = stopped.stop().then(() => (isStopped = true));
      const refusalsBefore = refusals;
      await yieldUntil(() => isStopped || refusals > refusalsBefore + 1);
      isAway = false;
      late.resolve("sent");
      await stopping;
      expect(await rows()).toEqual({ a: "sent 1", b: "sent 1" });
    });

    it("ends at once when it was never started", async () => {
      const { worker } = await createToyQueue(database, "", atOnce);
      await expect(worker().stop()).resolves.toBeUndefined();
    });
  });

  describe("while the database is away", () => {
    // R28
    it("logs it once, waits longer each time, and goes on when the database is back", async () => {
      const { rows, worker } = await createToyQueue(database, "a", atOnce);
      let isAway = true;
      const lines: [string, object][] = [];
      const { delays, setTimer, fire } = createManualSleep();
      const waiting = worker({
        database: whileReachable(database, () => isAway),
        setTimer,
        log: {
          error: (fields, message) => lines.push([message, fields]),
          info: (fields, message) => lines.push([message, fields]),
        },
      });
      waiting.start();
      for (let time = 0; time < 7; time += 1) await fire();
      expect(delays.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map(seconds));
      const failed = ["toys failed, retrying", { err: new Error("the database is away") }];
      expect(lines).toEqual([failed]);
      isAway = false;
      await fire();
      await yieldUntil(async () => (await rows()).a === "sent 1");
      await waiting.stop();
      expect(lines).toEqual([failed, ["toys works again", { failures: 7 }]]);
    });

    it("takes no job from an instance that was as cut off as itself", async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const { clock, delivered, rows, worker } = await createToyQueue(database, "a", () => promise);
      let isAway = false;
      const shared = whileReachable(database, () => isAway);
      const { delays, setTimer, fire } = createManualSleep();
      const one = worker({ database: shared, setTimer });
      one.start();
      await yieldUntil(() => delivered.length === 1 && delays.length === 1);
      const two = worker({ database: shared, instance: "two" });
      await two.tick();
      isAway = true;
      clock.forward(seconds(40));
      await fire();
      await yieldUntil(() => delays.length === 2);
      await expect(two.tick()).rejects.toThrow("the database is away");
      isAway = false;
      // The other one sleeps for up to 30 s after its last failure.
      await two.tick();
      clock.forward(seconds(30));
      await two.tick();
      await fire();
      await yieldUntil(() => delays.length === 3);
      clock.forward(seconds(5));
      await two.tick();
      expect([delivered, await rows()]).toEqual([["a"], { a: "claimed 0" }]);
      resolve("sent");
      await one.stop();
      expect(await rows()).toEqual({ a: "sent 1" });
    });

    it("loses no result of a job it delivered meanwhile", async () => {
      let isAway = false;
      const { delivered, rows, worker } = await createToyQueue(database, "ab", async () => {
        isAway = true;
        return "sent";
      });
      const one = worker({ database: whileReachable(database, () => isAway) });
      await expect(one.tick()).rejects.toThrow("the database is away");
      expect(await rows()).toEqual({ a: "claimed 0", b: "claimed 0" });
      isAway = false;
      await one.tick();
      expect(delivered).toHaveLength(2);
      expect(await rows()).toEqual({ a: "sent 1", b: "sent 1" });
    });
  });
});
