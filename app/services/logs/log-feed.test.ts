import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineQueue } from "../../../server/observability/line-queue";
import { createLogFeed, createLogRest, type LogRest } from "./log-feed.server";

const json = (msg: string) => `{"level":30,"time":"2026-01-01T12:00:00.000Z","msg":"${msg}"}\n`;
const line = (msg: string) => `2026-01-01T12:00:00.000Z [INFO] ${msg}`;

const NO_REST: Pick<LogRest, "read" | "clear"> = { read: () => [], clear: () => undefined };

/** Creates a feed whose store can be unavailable and whose own lines return to its queue, as in the server. */
function createTestFeed(queue: LineQueue, rest = NO_REST) {
  const stored: string[][] = [];
  const store = { isAway: false };
  const timers: (() => void)[] = [];
  const log = (_: object, message: string) => queue.push(json(message));
  const feed = createLogFeed({
    source: queue,
    rest,
    log: { info: log, warn: log, error: log },
    store: {
      append: async (lines) => {
        if (store.isAway) throw new Error("away");
        stored.push(lines.map(({ line }) => line));
      },
    },
    setTimer: (_, callback) => {
      timers.push(callback);
      return () => undefined;
    },
  });
  /** Fires the feed's next timer. */
  const next = async () => {
    await vi.waitUntil(() => timers.length > 0);
    timers.shift()?.();
    await vi.waitUntil(() => timers.length > 0);
  };
  return { feed, store, stored, next };
}

describe("the lines of the logger", () => {
  it("are stored in order, in batches, and in the form of the log", async () => {
    const queue = new LineQueue();
    const { feed, stored } = createTestFeed(queue);
    for (let n = 0; n < 501; n += 1) queue.push(json(`line ${n}`));
    await feed.stop();
    expect(stored.map((lines) => lines.length)).toEqual([500, 1]);
    expect([stored[0]?.[0], stored[1]?.[0]]).toEqual([line("line 0"), line("line 500")]);
  });

  it("are stored after an outage, with one line about it and one about missing lines", async () => {
    const queue = new LineQueue(json("a").length * 20);
    const { feed, store, stored, next } = createTestFeed(queue);
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
    const count = (message: string) => all.filter((text) => text.includes(message)).length;
    expect([count("failed, retrying"), count("could not keep up")]).toEqual([1, 1]);
    expect(all.length).toBeLessThan(30);
  });

  // R26
  it("that an unavailable store did not take are returned at the end, without a delay", async () => {
    const queue = new LineQueue();
    const { feed, store, stored } = createTestFeed(queue);
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

  it("wait in a file with mode 0600 for the next process", async () => {
    const rest = createLogRest(join(folder, "log-rest.jsonl"));
    expect(rest.read()).toEqual([]);
    rest.keep([json("uncaught exception").trimEnd()]);
    expect(statSync(join(folder, "log-rest.jsonl")).mode & 0o777).toBe(0o600);
    const queue = new LineQueue();
    queue.push(json("started"));
    const { feed, stored } = createTestFeed(queue, rest);
    expect(rest.read()).toHaveLength(1);
    await feed.stop();
    expect(stored.flat()).toEqual([line("uncaught exception"), line("started")]);
    expect(rest.read()).toEqual([]);
  });

  it("are dropped without an error when the file cannot be written", () => {
    expect(() => createLogRest(join(folder, "no", "such", "folder")).keep(["x"])).not.toThrow();
  });
});
