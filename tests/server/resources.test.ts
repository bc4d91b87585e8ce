import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { useFixture } from "../fixture";
import { hasRedis, startBlackHole, startRedis } from "../redis";
import { promisedMs, chooseSize } from "../sizes";
import { getRedirect } from "./operators";
import { useServer, useSuperadmin } from "./use-server";
import { execute, logLines, measureMs, quantile } from "./visitors";

const MONITOR = "/admin/resouces-monitor";
/** A page that shows Redis, one that does not, and a public one. */
const PAGES = [MONITOR, "/admin/dashboard", "/early-access"];
const REPEATS = chooseSize({ daily: 1, full: 12 });

type Client = ReturnType<typeof useClient>;

/** The superadmin at a server of its own with these settings, or at the shared one. */
function useClient(settings?: () => Record<string, string>) {
  const server = useServer(settings);
  const { get, read, post } = useSuperadmin(server);
  return { server, get, read, post, check: () => post(MONITOR, { intent: "check" }) };
}

/** Measures each page, and a check of the resources. */
async function measure(client: Client): Promise<number[]> {
  const times: number[] = [];
  for (const path of PAGES) times.push(await measureMs(() => client.read(path)));
  return [...times, await measureMs(async () => expect((await client.check()).status).toBe(303))];
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

// R12
describe.skipIf(!hasRedis || process.platform !== "linux")(
  "a Redis in any state changes the time of no page by more than 20 ms",
  () => {
    const redis = useFixture(startRedis);
    const hole = useFixture(startBlackHole);
    const withoutRedis = useClient();
    const withRedis = useClient(() => ({ REDIS_URL: redis.url }));
    const withHole = useClient(() => ({ REDIS_URL: hole.url }));

    const expectNoDifference = async (client: Client) => {
      for (const ms of await compare(client, withoutRedis)) expect(ms).toBeLessThan(promisedMs(20));
    };
    const checkAndLoad = async () => {
      await withRedis.check();
      return withRedis.read(MONITOR);
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
      expect(await withHole.read(MONITOR)).toContain(">Offline<");
    });

    it("not configured: no card, and nothing in the log", async () => {
      expect(await withoutRedis.read(MONITOR)).not.toMatch(/Redis Status|Meeting Metrics|>Offline</);
      expect(withoutRedis.server.output()).not.toMatch(/Redis/);
    });

    it("check after check: meetings warn, an absent Redis is an error", async () => {
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
  const { server, get, read, post } = useClient();

  it("is there without a measurement, and has no style", async () => {
    const html = await read(MONITOR);
    expect(html.match(/role="meter"/g)?.length).toBeGreaterThan(3);
    expect(html).not.toContain("style=");
    const getUpdateTime = async () =>
      /dateTime="([^"]+)"/i.exec((await read(MONITOR)).split("Last updated")[1] ?? "")?.[1];
    expect(await getUpdateTime()).toMatch(/^\d{4}-/);
    // Polls, because the server also measures by itself; a page that measures would never show the same time twice.
    await expect.poll(async () => (await getUpdateTime()) === (await getUpdateTime())).toBe(true);
  });

  it("lists incidents and the last minute of every server", async () => {
    const now = Date.now();
    const minute = Math.floor(now / 60_000) * 60_000;
    const sample = "insert into resource_samples values (?, 60000, ?, 6, 41.2, 55, 66.6, 67, 33, 1, 1, null)";
    for (const instance of [hostname(), "web-2:3000"]) {
      for (let ago = 1; ago <= 3; ago += 1) execute(server, sample, instance, minute - ago * 60_000);
    }
    const incident = "insert into resource_incidents values (?, 'web-2:3000', ?, ?, ?, ?, null)";
    execute(server, incident, "1", "memory", now - 600_000, now - 300_000, 74.2);
    execute(server, incident, "2", "redis", now - 120_000, null, 1);
    const html = await read(MONITOR);
    expect(html).toContain("Memory 74.2 % is over 70 %");
    expect(html).toContain("Redis is disconnected");
    expect(html.split(">Ongoing<")).toHaveLength(2);
    const links = [...html.matchAll(/href="(\/admin\/logs\?view=time[^"]*)"[^>]*>Log lines</g)];
    const [ongoing, ended] = links.map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    expect(ongoing).toMatch(/\?view=time&from=[\d-]+&fromTime=\d\d%3A\d\d$/);
    expect(ended).toMatch(/\?view=time&from=[\d-]+&fromTime=\d\d%3A\d\d&to=[\d-]+&toTime=\d\d%3A\d\d$/);
    expect(await read(ended ?? "")).toContain("Only from ");
    expect(html).toContain("Other servers");
    expect(html.match(/class="visx-linepath/g)?.length).toBeGreaterThanOrEqual(5);
    // The chart's peak is that of the table.
    expect(html).toContain("peak 55.0 %");
    expect(html).toMatch(/<td[^>]*>55\.0 %<\/td>/);
    expect(html).toMatch(/<td[^>]*>41\.2 %<\/td>/);
  });

  it("marks an incident in its chart, however many other servers had later", async () => {
    const now = Date.now();
    const incident = "insert into resource_incidents values (?, ?, 'disk', ?, ?, 80, null)";
    execute(server, incident, "3", hostname(), now - 600_000, now - 300_000);
    for (let later = 10; later < 35; later += 1)
      execute(server, incident, `4 ${later}`, "web-2:3000", now - 240_000, now - 180_000);
    expect(await read(MONITOR)).toContain("data-incident");
  });

  it("keeps the query after a check, and ignores unknown values", async () => {
    const checked = await post(`${MONITOR}?over=month`, { intent: "anything" });
    expect(getRedirect(checked)).toEqual([303, `${MONITOR}?over=month`]);
    expect((await get(`${MONITOR}?over=nonsense`)).status).toBe(200);
  });
});
