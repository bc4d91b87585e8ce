import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { TokenBucket } from "~/services/queue/token-bucket";
import { dialects } from "../databases";
import { waitUntil } from "../factories/outreach";
import { createToyQueue } from "../factories/toy-queue";
import { useDatabase } from "./use-database";

const never = () => new Promise<void>(() => undefined);
const atOnce = async () => undefined;

describe.each(dialects)("the queue on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => {
    database = opened;
  });

  it("delivers each job once and records its result", async () => {
    const { add, delivered, rows, worker } = await createToyQueue(database, atOnce);
    await add("a", "b", "c", "d", "e");
    await worker().tick();
    expect(delivered).toEqual(["a", "b", "c", "d", "e"]);
    expect(await rows()).toEqual({ a: "sent 1", b: "sent 1", c: "sent 1", d: "sent 1", e: "sent 1" });
  });

  it("has exactly as many jobs claimed and in flight as its concurrency (R3, R4)", async () => {
    const { add, crash, delivered, rows } = await createToyQueue(database, (id) =>
      id === "a" ? atOnce() : never(),
    );
    await add("a", "b", "c", "d", "e");
    crash();
    await waitUntil(() => delivered.length >= 4);
    expect(await rows()).toEqual({
      a: "sent 1",
      b: "claimed 0",
      c: "claimed 0",
      d: "claimed 0",
      e: "pending 0",
    });
  });

  it("claims no more at once than the rate allows", async () => {
    const { add, clock, delivered, crash } = await createToyQueue(database, never);
    await add("a", "b");
    crash({ rate: new TokenBucket(1, clock()) });
    await waitUntil(() => delivered.length > 0);
    expect(delivered).toEqual(["a"]);
  });

  it("fails a job that throws for good, and no other (R28)", async () => {
    const { add, rows, worker } = await createToyQueue(database, async (id) => {
      if (id === "a") throw new Error("broken");
    });
    await add("a", "b");
    await worker().tick();
    expect(await rows()).toEqual({ a: "failed 1", b: "sent 1" });
  });

  it("records what must not be delivered without an attempt", async () => {
    const { add, delivered, rows, worker } = await createToyQueue(database, atOnce);
    await add("suppressed");
    await worker().tick();
    expect(delivered).toEqual([]);
    expect(await rows()).toEqual({ suppressed: "skipped 0" });
  });

  it("recovers what its instance had in flight at its next start, at once (R3)", async () => {
    let isDown = true;
    const { add, delivered, rows, worker, crash } = await createToyQueue(database, () =>
      isDown ? never() : atOnce(),
    );
    await add("a", "b");
    crash();
    await waitUntil(() => delivered.length === 2);
    isDown = false;
    await worker().tick();
    expect(await rows()).toEqual({ a: "sent 2 resent", b: "sent 2 resent" });
  });

  it("leaves another instance's jobs alone until their lease ran out, and then recovers them (R22)", async () => {
    let isDown = true;
    const { add, clock, delivered, rows, worker, crash } = await createToyQueue(database, () =>
      isDown ? never() : atOnce(),
    );
    await add("a");
    crash();
    await waitUntil(() => delivered.length === 1);
    isDown = false;
    const other = worker({ instance: "two" });
    clock.forward(seconds(29));
    await other.tick();
    expect(await rows()).toEqual({ a: "claimed 0" });
    clock.forward(seconds(6));
    await other.tick();
    expect(await rows()).toEqual({ a: "sent 2 resent" });
  });

  it("delivers a job once whichever of two instances claims it (R22)", async () => {
    const { add, delivered, worker } = await createToyQueue(database, atOnce);
    const ids = Array.from({ length: 40 }, (_, index) => `toy-${index + 10}`);
    await add(...ids);
    await Promise.all([worker().tick(), worker({ instance: "two" }).tick()]);
    expect(delivered.toSorted()).toEqual(ids);
  });

  it("begins nothing more once it is stopped, and records what finishes meanwhile", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { add, delivered, rows, worker } = await createToyQueue(database, () => held);
    await add("a", "b", "c", "d");
    const stopped = worker();
    stopped.start();
    await waitUntil(() => delivered.length === 3);
    const stop = stopped.stop();
    release();
    await stop;
    expect(await rows()).toEqual({ a: "sent 1", b: "sent 1", c: "sent 1", d: "pending 0" });
  });
});
