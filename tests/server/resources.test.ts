import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { hasRedis, startBlackHole, startRedis, type RedisServer } from "../redis";
import { promisedMs, chooseSize } from "../sizes";
import { sharedServer } from "./shared-server";
import { execute, logLines, quantile } from "./visitors";

const MONITOR = "/admin/resouces-monitor";
/** A page that shows Redis, one that does not, and a public one. */
const PAGES = [MONITOR, "/admin/dashboard", "/early-access"];
const REPEATS = chooseSize({ daily: 1, full: 12 });

interface Client {
  readonly server: ServerProcess;
  readonly cookie: string;
}

const createClient = async (server: ServerProcess): Promise<Client> => ({
  server,
  cookie: await logIn(server),
});

const load = async ({ server, cookie }: Client, path = MONITOR) => {
  const answer = await server.fetch(path, { headers: { Cookie: cookie } });
  return { status: answer.status, html: await answer.text() };
};
const check = ({ server, cookie }: Client) =>
  server.fetch(MONITOR, formPost({ intent: "check" }, { Cookie: cookie }));

/** Measures each page, and a check of the resources. */
async function measure(client: Client): Promise<number[]> {
  const times: number[] = [];
  for (const path of PAGES) {
    const began = performance.now();
    expect((await load(client, path)).status).toBe(200);
    times.push(performance.now() - began);
  }
  const began = performance.now();
  expect((await check(client)).status).toBe(303);
  return [...times, performance.now() - began];
}

/** Compares alternately, so that a busy machine slows both. @returns the medians of the differences. */
async function compare(client: Client, baseline: Client): Promise<number[]> {
  const differences: number[][] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const first = repeat % 2 === 0 ? await measure(client) : undefined;
    const expected = await measure(baseline);
    const times = first ?? (await measure(client));
    differences.push(times.map((ms, index) => ms - (expected[index] ?? 0)));
  }
  return differences[0]!.map((_, index) => {
    const ofOne = differences.map((times) => times[index]!);
    return quantile(ofOne, 0.5);
  });
}

describe.skipIf(!hasRedis || process.platform !== "linux")(
  "a Redis in any state changes the time of no page by more than 20 ms (R12)",
  () => {
    let redis: RedisServer;
    let hole: Awaited<ReturnType<typeof startBlackHole>>;
    let withoutRedis: Client;
    let withRedis: Client;
    let withHole: Client;
    beforeAll(async () => {
      [redis, hole] = await Promise.all([startRedis(), startBlackHole()]);
      withoutRedis = await createClient(await sharedServer());
      withRedis = await createClient(await startServer({ REDIS_URL: redis.url }));
      withHole = await createClient(await startServer({ REDIS_URL: hole.url }));
    });
    afterAll(async () => {
      await Promise.all([withRedis, withHole].map(({ server }) => server.remove()));
      await Promise.all([redis.remove(), hole.remove()]);
    });

    const expectNoDifference = async (client: Client) => {
      for (const ms of await compare(client, withoutRedis)) expect(ms).toBeLessThan(promisedMs(20));
    };
    const checkAndLoad = async () => {
      await check(withRedis);
      return (await load(withRedis)).html;
    };
    /** Checks until the page shows the text. */
    const waitForText = (text: string) =>
      expect.poll(checkAndLoad, { timeout: 20_000, interval: 500 }).toContain(`>${text}<`);

    it("connected", async () => {
      await waitForText("Connected");
      await expectNoDifference(withRedis);
    });

    it("hanging", async () => {
      redis.hang();
      try {
        await expectNoDifference(withRedis);
        await waitForText("Disconnected");
      } finally {
        redis.resume();
      }
    });

    it("refusing, after it was killed, and back", async () => {
      await redis.kill();
      await waitForText("Disconnected");
      await expectNoDifference(withRedis);
      await redis.start();
      await waitForText("Connected");
    });

    it("behind a firewall that drops every packet", async () => {
      await expectNoDifference(withHole);
      expect((await load(withHole)).html).toContain(">Offline<");
    });

    it("not configured: no card, and nothing in the log", async () => {
      const { html } = await load(withoutRedis);
      expect(html).not.toMatch(/Redis Status|Meeting Metrics|>Offline</);
      expect(withoutRedis.server.output()).not.toMatch(/Redis/);
    });

    it("check after check: the log has many meetings as a warning and an absent Redis as an error", async () => {
      const listLines = (text: string) =>
        logLines(withRedis.server).filter(({ msg }) => msg === `resource check: ${text}`);
      await redis.run("SADD", "meetings:active", ..."abcdefgh");
      await waitForText("8/15 capacity");
      expect(listLines("many meetings at once").at(-1)).toMatchObject({ level: 40, concurrentMeetings: 8 });
      await redis.kill();
      await waitForText("Disconnected");
      expect(listLines("Redis is disconnected").at(-1)).toMatchObject({ level: 50 });
      expect(withRedis.server.output()).not.toContain(encodeURIComponent(redis.password));
    });
  },
);

describe("the System Resources Monitor", () => {
  let client: Client;
  beforeAll(async () => {
    client = await createClient(await sharedServer());
  });

  it("is there without a measurement of its own, and has no style the policy would refuse", async () => {
    const { html, status } = await load(client);
    expect(status).toBe(200);
    expect(html.match(/role="meter"/g)?.length).toBeGreaterThan(3);
    expect(html).not.toContain("style=");
    const getUpdateTime = async () =>
      /dateTime="([^"]+)"/i.exec((await load(client)).html.split("Last updated")[1] ?? "")?.[1];
    expect(await getUpdateTime()).toMatch(/^\d{4}-/);
    // Polls, because the server also measures by itself; a page that measures would never show the same time twice.
    await expect.poll(async () => (await getUpdateTime()) === (await getUpdateTime())).toBe(true);
  });

  it("lists incidents of every server and the last minute of other servers, and charts the history", async () => {
    const now = Date.now();
    const minute = Math.floor(now / 60_000) * 60_000;
    const sample = "insert into resource_samples values (?, 60000, ?, 6, 41.2, 55, 66.6, 67, 33, 1, 1, null)";
    for (const instance of [hostname(), "web-2:3000"]) {
      for (let ago = 1; ago <= 3; ago += 1) execute(client.server, sample, instance, minute - ago * 60_000);
    }
    const incident = "insert into resource_incidents values (?, 'web-2:3000', ?, ?, ?, ?, null)";
    execute(client.server, incident, "1", "memory", now - 600_000, now - 300_000, 74.2);
    execute(client.server, incident, "2", "redis", now - 120_000, null, 1);
    const { html } = await load(client);
    expect(html).toContain("Memory 74.2 % is over 70 %");
    expect(html).toContain("Redis is disconnected");
    expect(html.split(">Ongoing<")).toHaveLength(2);
    expect(html).toContain("Other servers");
    expect(html.match(/<polyline/g)?.length).toBeGreaterThanOrEqual(5);
    expect(html).toMatch(/<td[^>]*>41\.2 %<\/td>/);
  });

  it("keeps the query after a check, and ignores unknown values", async () => {
    const checked = await client.server.fetch(
      `${MONITOR}?over=month`,
      formPost({ intent: "anything" }, { Cookie: client.cookie }),
    );
    expect([checked.status, checked.headers.get("Location")]).toEqual([303, `${MONITOR}?over=month`]);
    expect((await load(client, `${MONITOR}?over=nonsense`)).status).toBe(200);
  });
});
