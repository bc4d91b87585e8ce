import { beforeEach, expect, it } from "vitest";
import { hours, seconds } from "~/lib/durations";
import { UpstreamError } from "~/lib/upstream-error";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { PlatformLogSource } from "~/services/logs/drivers/platform-log-source.server";
import { createLogs } from "~/services/logs/logs.server";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { newId } from "~/services/service-deps";
import { removeAfterTest } from "../fixture";
import { readAudit } from "../factories/accounts";
import { measureLongestBlock } from "../factories/cpu-time";
import { appendLines, at, error, info, listMessages, NOON, readLastCharacters } from "../factories/logs";
import { operator } from "../factories/outreach";
import { PLATFORM_TOKEN, startPlatform, type FakePlatform } from "../fakes/platform";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the platform's log beside ours on %s", ({ database }) => {
  let platform: FakePlatform;
  let client: PlatformClient;
  let now = 0;
  beforeEach(async () => {
    platform = removeAfterTest(await startPlatform());
    client = new PlatformClient({ url: platform.url, token: PLATFORM_TOKEN, clock: () => NOON });
  });

  const createSource = () =>
    new PlatformLogSource({ client, write: (work) => database.write(work), elapsed: () => now });

  it("is read newest or oldest first, page by page, and requested once in five seconds", async () => {
    platform.logs = ["a", "b", "c", "d", "e"].map((name) => info(name));
    const source = createSource();
    expect(await readLastCharacters(source, "newest")).toBe("edcba");
    expect(await readLastCharacters(source, "oldest")).toBe("abcde");
    expect(platform.requests).toHaveLength(1);
    platform.logs.push(info("f"));
    now += seconds(5);
    expect(await listMessages(source, {})).toEqual(["f", "e", "d", "c", "b", "a"]);
  });

  // C52
  it("is read at once when a line is a megabyte of logins", async () => {
    const long = `${info("login")} ops:${":@".repeat(500_000)}`;
    platform.logs = [info("redis://ops:s3cret@cache"), long, ":@".repeat(500_000)];
    const { ms, value } = await measureLongestBlock(() => createSource().page({}, { limit: 10 }));
    expect(ms).toBeLessThan(500);
    expect(value.lines.map(({ line }) => line.length < 9000)).toEqual([true, true]);
    expect(value.lines[0]?.line).toMatch(/ \.\.\. \(cut, 1,000,\d{3} characters\)$/);
    expect(value.lines[1]?.line).toContain("redis://***:***@cache");
  });

  it("is searched, filtered and counted like our own", async () => {
    platform.logs = [
      info("GET /users 200"),
      info("GET /100% 404", hours(1)),
      error("Database is away", hours(1)),
      "no form at all",
      info("nothing", hours(2)),
    ];
    const source = createSource();
    expect(await listMessages(source, { search: "database" })).toEqual(["Database is away"]);
    expect(await listMessages(source, { search: "200 get" })).toEqual(["GET /users 200"]);
    expect(await listMessages(source, { search: "0%" })).toEqual(["GET /100% 404"]);
    expect(await listMessages(source, { search: "away", level: "INFO" })).toEqual([]);
    expect(await listMessages(source, { level: "" })).toEqual(["no form at all"]);
    expect(await listMessages(source, { from: NOON + 1, until: NOON + hours(2) })).toEqual([
      "Database is away",
      "GET /100% 404",
    ]);
    expect(await source.counts({})).toEqual([
      { level: "", lines: 1 },
      { level: "ERROR", lines: 1 },
      { level: "INFO", lines: 3 },
    ]);
    expect(await source.counts({ from: NOON + hours(1) })).toEqual([
      { level: "ERROR", lines: 1 },
      { level: "INFO", lines: 2 },
    ]);
    expect(await source.hours({ level: "INFO" })).toEqual(
      [0, 1, 2].map((hour) => ({ hour: NOON + hours(hour), level: "INFO", lines: 1 })),
    );
    expect((await source.around(3, 1))?.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(await source.around(6, 1)).toBeUndefined();
    const page = await source.page({ search: "users" }, { limit: 5, maxSearched: 2 });
    expect(page).toEqual({ lines: [], next: 4, scanned: 2 });
  });

  // C23
  it("shows each hostile line as one safe line", async () => {
    const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("latin1");
    platform.logs = [info(`x\n2026-01-01 [ERROR] forged\x1b[31m`), info("x".repeat(100_000)), info(binary)];
    const { lines } = await createSource().page({}, { limit: 9 });
    expect(lines[2]?.line).toBe(`${at(0)} [INFO] x\\n2026-01-01 [ERROR] forged\\x1b[31m`);
    expect(lines[1]?.line).toMatch(/x \.\.\. \(cut, 100,0\d\d characters\)$/);
    expect(lines.map(({ line }) => /\p{Cc}|\p{Surrogate}/u.test(line))).toEqual([false, false, false]);
  });

  it("keeps the newest 200,000 lines with their numbers in the whole log", async () => {
    platform.logs = Array.from({ length: 200_010 }, (_, index) => info(String(index + 1)));
    const source = createSource();
    expect(await source.counts({})).toEqual([{ level: "INFO", lines: 200_000 }]);
    const { lines } = await source.page({}, { limit: 1, order: "oldest" });
    expect(lines).toMatchObject([{ id: 11, line: info("11") }]);
    expect((await source.around(200_010, 1))?.map(({ id }) => id)).toEqual([200_009, 200_010]);
    expect(await source.outOfReach()).toBe(10);
    let deleted = 0;
    await source.deleteAll(async (_, lines) => void (deleted = lines));
    expect(deleted).toBe(200_010);
    expect(await source.outOfReach()).toBe(0);
  });

  it("is an error when it cannot be read, and requested again next time", async () => {
    platform.logs = [info("a")];
    platform.failRequest = () => ({ status: 500 });
    const source = createSource();
    await expect(source.counts({})).rejects.toThrow(UpstreamError);
    platform.failRequest = () => undefined;
    expect(await source.counts({})).toHaveLength(1);
  });

  const createTestLogs = () => {
    const store = new DatabaseLogStore(database);
    const deps = { database, store, source: createSource(), clock: () => NOON, newId };
    return { store, logs: createLogs({ ...deps, keep: { days: 30, megabytes: 10 } }) };
  };

  // R5
  it("is deleted at the platform and recorded, and ours stays", async () => {
    const { store, logs } = createTestLogs();
    await appendLines(store, [info("of ours")]);
    platform.logs = [info("a"), info("b")];
    await logs.deleteAll(operator);
    expect(platform.logs).toEqual([]);
    expect(await readAudit(database)).toMatchObject([
      { actor: operator.by, action: "delete-logs", subject: "2 lines", outcome: "ok" },
    ]);
    expect(await logs.counts({})).toEqual([]);
    expect((await store.page({}, { limit: 9 })).lines).toHaveLength(1);
  });

  it("is recorded as failed when the platform does not delete it", async () => {
    const { logs } = createTestLogs();
    platform.logs = [info("a")];
    platform.failRequest = ({ method }) => (method === "DELETE" ? { status: 500 } : undefined);
    await expect(logs.deleteAll(operator)).rejects.toThrow(UpstreamError);
    expect(platform.logs).toHaveLength(1);
    expect(await readAudit(database)).toMatchObject([{ action: "delete-logs", outcome: "failed" }]);
  });
});
