import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes } from "~/lib/durations";
import { DatabaseLogStore, sweepLogs } from "~/services/logs/drivers/database-log-store.server";
import { searchLog } from "~/services/logs/drivers/log-search.server";
import type { LogFilter, LogStore } from "~/services/logs/log-store";
import { dialects } from "../databases";
import { measureLongestBlock } from "../factories/cpu-time";
import { readLastCharacters } from "../factories/logs";
import { plansOf } from "./plans-of";
import { useDatabase } from "./use-database";

const NOON = Date.UTC(2026, 10, 21, 12);
const FOREVER = { since: 0, now: NOON + days(1), bytes: 1_000_000_000 };
const at = (ms: number) => new Date(NOON + ms).toISOString();
const info = (message: string, ms = 0) => `${at(ms)} [INFO] ${message}`;
const error = (message: string, ms = 0) => `${at(ms)} [ERROR] ${message}`;

describe.each(dialects)("the log store on %s", (dialect) => {
  let database: Database;
  let store: LogStore;
  useDatabase(dialect, (opened) => {
    database = opened;
    store = new DatabaseLogStore(opened);
  });

  const messages = async (filter: LogFilter = {}, limit = 100) =>
    (await store.page(filter, { limit })).lines.map(({ line }) => line.replace(/^.*?\] /, ""));
  const counted = async (time: Parameters<LogStore["counts"]>[0] = {}) =>
    Object.fromEntries((await store.counts(time)).map(({ level, lines }) => [level, lines]));
  const sweepAll = async (keep = FOREVER) => {
    while (await store.sweep(keep));
  };
  const rowsLeft = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from log_lines`.execute(
      database.read,
    );
    return rows[0]?.count;
  };

  it("holds nothing at first", async () => {
    expect(await store.page({}, { limit: 10 })).toEqual({ lines: [], next: undefined, scanned: 0 });
    expect([await store.counts({}), await store.hours({}), await store.around(1, 2)]).toEqual([
      [],
      [],
      undefined,
    ]);
    await store.append([]);
    expect(await store.outOfReach()).toBe(0);
    expect(await store.sweep(FOREVER)).toBe(false);
  });

  it("gives lines back newest first, or oldest first, page by page", async () => {
    await store.append(["a", "b", "c"].map((name) => info(name)));
    await store.append(["d", "e"].map((name) => info(name)));
    for (const [order, all] of [
      ["newest", "edcba"],
      ["oldest", "abcde"],
    ] as const) {
      expect(await readLastCharacters(store, order)).toBe(all);
    }
  });

  it("counts each level, and what is of no form apart (C23)", async () => {
    await store.append([
      info("a"),
      info("b"),
      error("c"),
      "2026-11-21 13:00:00 +0200 [notice] elsewhere",
      "no form at all",
      "",
      `${at(0)} [INFO] x\n2026-01-01 [ERROR] forged\x1b[31m`,
    ]);
    expect(await counted()).toEqual({ INFO: 3, ERROR: 1, NOTICE: 1, "": 2 });
    expect((await store.page({ level: "INFO" }, { limit: 1 })).lines).toEqual([
      {
        id: 7,
        at: NOON,
        level: "INFO",
        line: `${at(0)} [INFO] x\\n2026-01-01 [ERROR] forged\\x1b[31m`,
      },
    ]);
    expect((await store.page({ level: "" }, { limit: 5 })).lines.map(({ at, line }) => [at, line])).toEqual([
      [undefined, ""],
      [undefined, "no form at all"],
    ]);
  });

  it("takes ten megabytes, binary and halves of characters, each as one safe line", async () => {
    const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("latin1");
    await store.append([
      info("x".repeat(10_000_000)),
      info(binary),
      info("half \ud83d"),
      info(`'";--\\ %_!`),
    ]);
    const { lines } = await store.page({}, { limit: 9 });
    expect(lines).toHaveLength(4);
    expect(lines[3]?.line).toMatch(/x \.\.\. \(cut, 10,000,0\d\d characters\)$/);
    expect(lines.map(({ line }) => /\p{Cc}|\p{Surrogate}/u.test(line))).toEqual([false, false, false, false]);
    expect(lines[1]?.line).toContain("half \\ud83d");
    expect(lines[0]?.line).toContain(`'";--\\ %_!`);
  });

  it("finds lines by their words, in any order and case, and takes no sign for a pattern", async () => {
    await store.append([
      info("GET /admin/users 200"),
      info("GET /100% 404"),
      error("Database is away"),
      info("nothing"),
      info("Émile was here"),
    ]);
    expect(await messages({ search: "database" })).toEqual(["Database is away"]);
    // Letters beyond ASCII are found as they stand.
    expect([await messages({ search: "ÉMILE" }), await messages({ search: "émile" })]).toEqual([
      ["Émile was here"],
      [],
    ]);
    expect(await messages({ search: "200 get" })).toEqual(["GET /admin/users 200"]);
    expect(await messages({ search: "0%" })).toEqual(["GET /100% 404"]);
    expect(await messages({ search: "G_T" })).toEqual([]);
    expect(await messages({ search: "away", level: "INFO" })).toEqual([]);
    expect(await messages({ search: "away", level: "ERROR" })).toEqual(["Database is away"]);
  });

  it("is searched for as many words as a URL holds (C37)", async () => {
    await store.append([info("nothing"), error("Database is away")]);
    expect(await messages({ search: "away a ".repeat(1000) })).toEqual(["Database is away"]);
  });

  it("is searched for a long word in lines that nearly hold it without holding the event loop (C37)", async () => {
    const lines = Array.from({ length: 5_000 }, () => info(`GET /${"a".repeat(250)} 404`));
    for (let part = 0; part < 4; part += 1) await store.append(lines);
    const search = `${"a".repeat(99)}b`;
    const { ms, value } = await measureLongestBlock(() => store.page({ search }, { limit: 100 }));
    expect(value.lines).toEqual([]);
    expect(ms).toBeLessThan(100);
  });

  it("looks through so many lines at once, and goes on where it stopped", async () => {
    await store.append(
      Array.from({ length: 100 }, (_, n) => (n % 25 === 0 ? error(`line${n}`) : info(`line${n}`))),
    );
    const look = (filter: LogFilter, past?: number, order: "newest" | "oldest" = "newest") =>
      searchLog(database, filter, { past, limit: 3, order, most: 30 }, { batch: 10, ms: Infinity });
    const rare = await look({ search: "line5" });
    expect([rare.lines, rare.next, rare.scanned]).toEqual([[], 71, 30]);
    const next = await look({ search: "line5" }, rare.next);
    expect(next.lines.map(({ id }) => id)).toEqual([60, 59, 58]);
    expect((await look({ search: "line5" }, next.next)).lines.map(({ id }) => id)).toEqual([57, 56, 55]);
    expect((await look({ search: "line5" }, 41)).next).toBe(11);
    expect(await look({ search: "line5" }, 11)).toMatchObject({ lines: [{ id: 6 }], next: undefined });
    // Lines of one level are looked through among themselves.
    expect(await look({ search: "line5", level: "ERROR" })).toMatchObject({
      lines: [{ id: 51 }],
      next: undefined,
    });
    const forward = await look({ search: "line99" }, undefined, "oldest");
    expect(forward).toEqual({ lines: [], next: 30, scanned: 30 });
    expect((await look({ search: "line30" }, forward.next, "oldest")).lines[0]?.id).toBe(31);
    // Also where that is less than is read at once by itself.
    const few = await searchLog(database, { search: "line5" }, { limit: 3, most: 30 });
    expect(few).toEqual({ lines: [], next: 71, scanned: 30 });
  });

  it("stops after the first piece where that took long", async () => {
    await store.append(Array.from({ length: 100 }, (_, n) => info(`line${n}`)));
    const page = await searchLog(database, { search: "line5" }, { limit: 3 }, { batch: 10, ms: 0 });
    expect(page).toEqual({ lines: [], next: 91, scanned: 10 });
  });

  it("finds lines by their time, whatever order the clock brought them in", async () => {
    await store.append([info("yesterday", -days(1)), info("today"), error("today too", minutes(5))]);
    // The clock was set back a day, and forward again.
    await store.append([info("yesterday once more", -days(1)), info("tomorrow", days(1))]);
    const today = { from: NOON - hours(12), until: NOON + hours(12) };
    expect(await messages(today)).toEqual(["today too", "today"]);
    expect(await messages({ ...today, level: "ERROR" })).toEqual(["today too"]);
    expect(await messages({ until: today.from })).toEqual(["yesterday once more", "yesterday"]);
    expect(await messages({ from: NOON + minutes(5) })).toEqual(["tomorrow", "today too"]);
    expect(await counted(today)).toEqual({ INFO: 1, ERROR: 1 });
    expect(await store.hours(today)).toEqual([
      { hour: NOON, level: "ERROR", lines: 1 },
      { hour: NOON, level: "INFO", lines: 1 },
    ]);
    expect(await store.hours({ level: "INFO" })).toHaveLength(3);
  });

  it("shows a line with what was logged around it", async () => {
    await store.append(["a", "b", "c", "d", "e"].map((name) => info(name)));
    expect((await store.around(3, 1))?.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect((await store.around(1, 2))?.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect([await store.around(6, 2), await store.around(0, 2)]).toEqual([undefined, undefined]);
  });

  it("deletes all there is at once, keeps what comes after it, and never uses a number again", async () => {
    await store.append([info("a"), error("b"), "ignored"]);
    let said: number | undefined;
    await store.deleteAll(async (_, lines) => void (said = lines));
    expect(said).toBe(3);
    expect([await messages(), await counted(), await store.around(1, 5)]).toEqual([[], {}, undefined]);
    await store.append([info("after")]);
    expect((await store.page({}, { limit: 9 })).lines.map(({ id }) => id)).toEqual([4]);
    await sweepAll();
    expect([await rowsLeft(), await messages(), await counted()]).toEqual([1, ["after"], { INFO: 1 }]);
    expect((await store.around(4, 5))?.map(({ id }) => id)).toEqual([4]);
  });

  it("a deletion that cannot be written down deletes nothing", async () => {
    await store.append([info("a")]);
    await expect(store.deleteAll(() => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
    expect([await messages(), await counted()]).toEqual([["a"], { INFO: 1 }]);
  });

  it("lines that are added while all are deleted are there or gone as a whole, and counted right", async () => {
    const added = Array.from({ length: 20 }, (_, n) => store.append([info(`${n} a`), error(`${n} b`)]));
    const deleted: number[] = [];
    const deletions = Array.from({ length: 5 }, () =>
      store.deleteAll(async (_, lines) => void deleted.push(lines)),
    );
    await Promise.all([...added, ...deletions]);
    const left = await messages();
    const ofA = left.filter((message) => message.endsWith("a")).length;
    const total = deleted.reduce((sum, lines) => sum + lines, 0);
    // On SQLite a group that is undone is done again, and with it what was said.
    if (dialect === "postgres") expect(total + left.length).toBe(40);
    expect(await counted()).toEqual(left.length === 0 ? {} : { INFO: ofA, ERROR: ofA });
  });

  it("sweeps what was deleted piece by piece", async () => {
    await store.append(["a", "b", "c", "d", "e"].map((name) => info(name)));
    await store.deleteAll(async () => undefined);
    await store.append([info("f")]);
    const left = [];
    while (await sweepLogs(database, FOREVER, 2)) left.push(await rowsLeft());
    expect(left).toEqual([4, 2, 1]);
    expect(await messages()).toEqual(["f"]);
  });

  it("forgets lines that are too old, and is not stopped by a clock that was wrong (R26)", async () => {
    const future = info("from the future", days(400));
    await store.append([future, info("old", -days(31)), "ignored", future, info("old too", -days(30) - 1)]);
    await store.append([future, "ignored too", info("young", -days(29)), info("out of order", -days(31))]);
    await sweepAll({ ...FOREVER, since: NOON - days(30) });
    expect(await messages()).toEqual(["out of order", "young", "from the future"]);
    expect(await counted()).toEqual({ INFO: 3, "": 1 });
    expect((await store.hours({})).map(({ lines }) => lines)).toEqual([1, 1, 1]);
    expect(await rowsLeft()).toBe(4);
  });

  it("forgets the oldest lines when there are too many (R26)", async () => {
    await store.append(Array.from({ length: 10 }, (_, n) => info(`line ${n}`)));
    const size = Buffer.byteLength(info("line 0"));
    await sweepAll({ ...FOREVER, bytes: size * 3 });
    expect(await messages()).toEqual(["line 9", "line 8", "line 7"]);
    expect(await counted()).toEqual({ INFO: 3 });
    await sweepAll({ ...FOREVER, bytes: size * 3 });
    expect(await rowsLeft()).toBe(3);
  });

  it("asks indexes for pages, levels and surroundings (R26)", async () => {
    await store.append(Array.from({ length: 3000 }, (_, n) => (n % 100 === 0 ? error("x") : info("x"))));
    const plans = await plansOf(database, async (watched) => {
      const asked = new DatabaseLogStore(watched);
      await asked.page({}, { limit: 25 });
      await asked.page({ level: "ERROR" }, { limit: 25 });
      await asked.around(1500, 10);
    });
    expect(plans.filter((plan) => /SCAN log_lines|Seq Scan on log_lines|USE TEMP B-TREE/.test(plan))).toEqual(
      [],
    );
  });
});
