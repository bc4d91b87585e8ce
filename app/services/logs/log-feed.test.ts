import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineQueue } from "../../../server/observability/line-queue";
import { createLogFeed, createLogRest } from "./log-feed.server";
import type { LogRest } from "./log-feed.server";

const json = (msg: string) => `{"level":30,"time":"2026-01-01T12:00:00.000Z","msg":"${msg}"}\n`;
const line = (msg: string) => `2026-01-01T12:00:00.000Z [INFO] ${msg}`;

const NO_REST: Pick<LogRest, "read" | "clear"> = { read: () => [], clear: () => undefined };

/** Creates a feed whose store can be unavailable and whose own lines return to its queue, as in the server. */
function feedInto(queue: LineQueue, rest = NO_REST) {
  const stored: string[][] = [];
  const store = { isAway: false };
  const rings: (() => void)[] = [];
  const say = (_: object, message: string) => queue.push(json(message));
  const feed = createLogFeed({
    source: queue,
    rest,
    log: { info: say, warn: vi.fn(say), error: vi.fn(say) },
    store: {
      append: async (lines) => {
        if (store.isAway) throw new Error("away");
        stored.push([...lines]);
      },
    },
    setTimer: (_, ring) => {
      rings.push(ring);
      return () => undefined;
    },
  });
  /** Fires the feed's next timer. */
  const next = async () => {
    await vi.waitUntil(() => rings.length > 0);
    rings.shift()?.();
    await vi.waitUntil(() => rings.length > 0);
  };
  return { feed, store, stored, next };
}

describe("what the logger writes comes into the store", () => {
  it("in order, in batches, and with its form", async () => {
    const queue = new LineQueue();
    const { feed, stored } = feedInto(queue);
    for (let n = 0; n < 501; n += 1) queue.push(json(`line ${n}`));
    await feed.stop();
    expect(stored.map((lines) => lines.length)).toEqual([500, 1]);
    expect([stored[0]?.[0], stored[1]?.[0]]).toEqual([line("line 0"), line("line 500")]);
  });

  it("after the store was away, with a line that says how much is missing; it was said once that it is away", async () => {
    const queue = new LineQueue(json("a").length * 20);
    const { feed, store, stored, next } = feedInto(queue);
    store.isAway = true;
    queue.push(json("before"));
    feed.start();
    await next();
    await next();
    for (let n = 0; n < 100; n += 1) queue.push(json(`line ${n}`));
    store.isAway = false;
    await next();
    await next();
    await feed.stop();
    const all = stored.flat();
    expect(all[0]).toBe(line("before"));
    const said = (words: string) => all.filter((text) => text.includes(words)).length;
    expect([said("failed, retrying"), said("could not keep up")]).toEqual([1, 1]);
    expect(all.length).toBeLessThan(30);
  });

  it("a store that is away does not hold up the end, and what it did not take is handed over (R26)", async () => {
    const queue = new LineQueue();
    const { feed, store, stored } = feedInto(queue);
    store.isAway = true;
    queue.push(json("a"));
    queue.push(json("b"));
    await feed.stop();
    expect(stored).toEqual([]);
    expect(feed.unstored().map((text) => (JSON.parse(text) as { msg: string }).msg)).toEqual([
      "a",
      "b",
      "storing the log failed, retrying",
    ]);
  });
});

describe("the last lines of a process", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "frontdesk-log-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("wait in a file nobody else may read until the next one has stored them, before its own", async () => {
    const rest = createLogRest(join(folder, "log-rest.jsonl"));
    expect(rest.read()).toEqual([]);
    rest.keep([json("uncaught exception").trimEnd()]);
    expect(statSync(join(folder, "log-rest.jsonl")).mode & 0o777).toBe(0o600);
    const queue = new LineQueue();
    queue.push(json("started"));
    const { feed, stored } = feedInto(queue, rest);
    expect(rest.read()).toHaveLength(1);
    await feed.stop();
    expect(stored.flat()).toEqual([line("uncaught exception"), line("started")]);
    expect(rest.read()).toEqual([]);
  });

  it("that cannot be written down end nothing", () => {
    expect(() => createLogRest(join(folder, "no", "such", "folder")).keep(["x"])).not.toThrow();
  });
});
