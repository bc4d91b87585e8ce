import { hostname } from "node:os";
import SqliteFile from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formPost, logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { hasRedis, startBlackHole, startRedis } from "../redis";
import type { RedisServer } from "../redis";
import { promisedMs, sizeOf } from "../sizes";
import { sharedServer } from "./shared-server";
import { databaseFile, logLines, quantile } from "./visitors";

const MONITOR = "/admin/resouces-monitor";
/** The page that shows Redis, one that does not, and one for everybody. */
const PAGES = [MONITOR, "/admin/dashboard", "/early-access"];
const ROUNDS = sizeOf({ daily: 1, full: 12 });

interface Started {
  readonly server: ServerProcess;
  readonly cookie: string;
}

const loggedIn = async (server: ServerProcess): Promise<Started> => ({ server, cookie: await logIn(server) });

const look = async ({ server, cookie }: Started, path = MONITOR) => {
  const answer = await server.fetch(path, { headers: { Cookie: cookie } });
  return { status: answer.status, html: await answer.text() };
};
const check = ({ server, cookie }: Started) =>
  server.fetch(MONITOR, formPost({ intent: "check" }, { Cookie: cookie }));

/** How long each page takes, and a check of the resources. */
async function timesOf(one: Started): Promise<number[]> {
  const times: number[] = [];
  for (const path of PAGES) {
    const began = performance.now();
    expect((await look(one, path)).status).toBe(200);
    times.push(performance.now() - began);
  }
  const began = performance.now();
  expect((await check(one)).status).toBe(303);
  return [...times, performance.now() - began];
}

/** Takes turns, so that a busy machine is as busy for both; the medians of how much longer one takes than the other. */
async function differencesOf(one: Started, other: Started): Promise<number[]> {
  const found: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await timesOf(one) : [];
    const others = await timesOf(other);
    const ones = first.length > 0 ? first : await timesOf(one);
    found.push(ones.map((ms, place) => ms - (others[place] ?? 0)));
  }
  return found[0]!.map((_, place) =>
    quantile(
      found.map((times) => times[place]!),
      0.5,
    ),
  );
}

describe.skipIf(!hasRedis || process.platform !== "linux")(
  "a Redis in any state changes the time of no page by more than 20 ms (R12)",
  () => {
    let redis: RedisServer;
    let hole: Awaited<ReturnType<typeof startBlackHole>>;
    let [without, withIt, withHole]: Started[] = [];
    beforeAll(async () => {
      [redis, hole] = await Promise.all([startRedis(), startBlackHole()]);
      without = await loggedIn(await sharedServer());
      withIt = await loggedIn(await startServer({ REDIS_URL: redis.url }));
      withHole = await loggedIn(await startServer({ REDIS_URL: hole.url }));
    });
    afterAll(async () => {
      await Promise.all([withIt, withHole].map((one) => one?.server.remove()));
      await Promise.all([redis.remove(), hole.remove()]);
    });

    const expectNoDifference = async (one: Started | undefined) => {
      const differences = await differencesOf(one!, without!);
      for (const ms of differences) expect(ms).toBeLessThan(promisedMs(20));
    };
    /** Checks until the page says it. */
    const untilShown = (words: string) =>
      expect
        .poll(
          async () => {
            await check(withIt!);
            return (await look(withIt!)).html;
          },
          { timeout: 20_000, interval: 500 },
        )
        .toContain(`>${words}<`);

    it("connected", async () => {
      await untilShown("Connected");
      await expectNoDifference(withIt);
    });

    it("hanging", async () => {
      redis.hang();
      try {
        await expectNoDifference(withIt);
        await untilShown("Disconnected");
      } finally {
        redis.resume();
      }
    });

    it("refusing, after it was killed, and back", async () => {
      await redis.kill();
      await untilShown("Disconnected");
      await expectNoDifference(withIt);
      await redis.start();
      await untilShown("Connected");
    });

    it("behind a firewall that swallows every packet", async () => {
      await expectNoDifference(withHole);
      expect((await look(withHole!)).html).toContain(">Offline<");
    });

    it("not set up: no card, and nothing in the log", async () => {
      const { html } = await look(without!);
      expect(html).not.toMatch(/Redis Status|Meeting Metrics|>Offline</);
      expect(without!.server.output()).not.toMatch(/Redis/);
    });

    it("check after check: the log has many meetings as a warning and an absent Redis as an error", async () => {
      const seen = (words: string) =>
        logLines(withIt!.server).filter(({ msg }) => msg === `resource check: ${words}`);
      await redis.run("SADD", "meetings:active", ..."abcdefgh");
      await untilShown("8/15 capacity");
      expect(seen("many meetings at once").at(-1)).toMatchObject({ level: 40, concurrentMeetings: 8 });
      await redis.kill();
      await untilShown("Disconnected");
      expect(seen("Redis is disconnected").at(-1)).toMatchObject({ level: 50 });
      expect(withIt!.server.output()).not.toContain(encodeURIComponent(redis.password));
    });
  },
);

describe("the System Resources Monitor", () => {
  let one: Started;
  beforeAll(async () => {
    one = await loggedIn(await sharedServer());
  });

  it("is there without a measurement of its own, and has no style the policy would refuse", async () => {
    const { html, status } = await look(one);
    expect(status).toBe(200);
    expect(html.match(/role="meter"/g)?.length).toBeGreaterThan(3);
    expect(html).not.toContain("style=");
    const updated = async () =>
      /dateTime="([^"]+)"/i.exec((await look(one)).html.split("Last updated")[1] ?? "")?.[1];
    expect(await updated()).toMatch(/^\d{4}-/);
    // In between the server may have measured by itself; a page that measures would never say the same twice.
    await expect.poll(async () => (await updated()) === (await updated())).toBe(true);
  });

  it("lists incidents of every server and other servers' last minute, and draws what was kept", async () => {
    const now = Date.now();
    const file = new SqliteFile(databaseFile(one.server));
    const minute = Math.floor(now / 60_000) * 60_000;
    const sample = file.prepare(
      "insert into resource_samples values (?, 60000, ?, 6, 41.2, 55, 66.6, 67, 33, 1, 1, null)",
    );
    for (const instance of [hostname(), "web-2:3000"]) {
      for (let ago = 1; ago <= 3; ago += 1) sample.run(instance, minute - ago * 60_000);
    }
    const incident = file.prepare(
      "insert into resource_incidents values (?, 'web-2:3000', ?, ?, ?, ?, null)",
    );
    incident.run("1", "memory", now - 600_000, now - 300_000, 74.2);
    incident.run("2", "redis", now - 120_000, null, 1);
    file.close();
    const { html } = await look(one);
    expect(html).toContain("Memory 74.2 % is over 70 %");
    expect(html).toContain("Redis is disconnected");
    expect(html.split(">Ongoing<")).toHaveLength(2);
    expect(html).toContain("Other servers");
    expect(html.match(/<polyline/g)?.length).toBeGreaterThanOrEqual(5);
    expect(html).toMatch(/<td[^>]*>41\.2 %<\/td>/);
  });

  it("keeps what a check asked with, and takes nothing else", async () => {
    const checked = await one.server.fetch(
      `${MONITOR}?over=month`,
      formPost({ intent: "anything" }, { Cookie: one.cookie }),
    );
    expect([checked.status, checked.headers.get("Location")]).toEqual([303, `${MONITOR}?over=month`]);
    expect((await look(one, `${MONITOR}?over=nonsense`)).status).toBe(200);
  });
});
