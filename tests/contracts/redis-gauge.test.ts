import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { RedisGauge } from "~/services/resources/drivers/redis-gauge.server";
import { freePort } from "../../scripts/free-port.mjs";
import { listenInTest } from "../../server/fixtures/listen-in-test";
import { expectQuick } from "../factories/quickest";
import { createManualTimers } from "../factories/time";
import { removeAfterTest, useFixture } from "../fixture";
import { hasRedis, startBlackHole, startRedis } from "../redis";

/** The gauge waits 15 ms; the rest is for a busy machine. Waiting for Redis itself would take 250 ms. */
const SOON_MS = 200;

function createGauge(url: string) {
  let now = 0;
  const lines: string[] = [];
  const log = (details: unknown, message = "") => void lines.push(JSON.stringify(details) + message);
  const gauge = removeAfterTest(new RedisGauge({ url, log: { warn: log, info: log }, elapsed: () => now }));
  return { gauge, lines, forward: (ms: number) => void (now += ms) };
}

type TestGauge = Pick<ReturnType<typeof createGauge>, "gauge" | "forward">;

/** Expects a read two seconds later not to wait. */
const expectNotToWait = ({ gauge, forward }: TestGauge) =>
  expectQuick(SOON_MS, {
    read: () => {
      forward(2000);
      return gauge.read();
    },
  });

/** Reads until Redis is connected, each time two seconds later, so that a slow connection is tried again. */
async function connect({ gauge, forward }: TestGauge) {
  const isConnected = async () => {
    forward(2000);
    return (await gauge.read()).redis.isConnected;
  };
  await expect.poll(isConnected, { timeout: 5000 }).toBe(true);
  return gauge.read();
}

/** Reads until Redis is not connected any more. */
async function readUntilLost(gauge: RedisGauge) {
  await expect.poll(async () => (await gauge.read()).redis.isConnected, { timeout: 5000 }).toBe(false);
  return gauge.read();
}

// R12
describe.skipIf(!hasRedis)("the gauge of a real Redis", () => {
  const redis = useFixture(startRedis);

  it("tells its memory and keys, and nothing of meetings where no key is theirs", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SET", "anything", "1");
    const reading = await connect(createGauge(redis.url));
    expect(reading.meetings).toBeUndefined();
    expect(reading.redis).toMatchObject({ isConnected: true, totalKeys: 1, activeMeetings: 0 });
    const used = Number(/used_memory:(\d+)/.exec(String(await redis.run("INFO", "memory")))?.[1]);
    expect(Math.abs(reading.redis.memoryUsageMB - used / 1_048_576)).toBeLessThan(1);
  });

  it("counts meetings, bots and recordings by their keys", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SADD", "meetings:active", "a", "b", "c");
    await redis.run("SADD", "meetings:bots", "x", "y");
    await redis.run("SET", "meetings:recordings", "1204");
    const test = createGauge(redis.url);
    const { gauge } = test;
    const meetings = { concurrentMeetings: 3, activeBots: 2, totalRecordings: 1204 };
    expect(await connect(test)).toMatchObject({ redis: { activeMeetings: 3 }, meetings });
    // Redis keeps no empty set; the other keys show that meetings are counted here.
    await redis.run("DEL", "meetings:active");
    const readMeetings = async () => (await gauge.read()).meetings;
    await expect.poll(readMeetings).toEqual({ ...meetings, concurrentMeetings: 0 });
  });

  it("ignores a key of another type", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SET", "meetings:active", "not a set");
    await redis.run("SET", "meetings:recordings", "-1 or so");
    await redis.run("SADD", "meetings:bots", "x");
    const { meetings, redis: status } = await connect(createGauge(redis.url));
    expect(meetings).toEqual({ concurrentMeetings: 0, activeBots: 1, totalRecordings: 0 });
    expect(status.isConnected).toBe(true);
  });

  // C24
  it("never shows the password", async () => {
    const url = redis.url.replace(encodeURIComponent(redis.password), "wrong-one");
    // On a busy machine a connection may take longer than the gauge waits: then another one is tried.
    const readRefusal = async () => {
      const { gauge, lines } = createGauge(url);
      const reading = await gauge.read();
      await expect.poll(() => lines, { timeout: 5000 }).toHaveLength(1);
      return JSON.stringify([reading, lines]);
    };
    await expect.poll(readRefusal, { timeout: 10_000 }).toContain("WRONGPASS");
    expect(await readRefusal()).not.toMatch(/wrong-one|secret/);
  });

  it("reports a Redis that dies at once, and tries again after two seconds, not sooner", async () => {
    const test = createGauge(redis.url);
    const { gauge, lines, forward } = test;
    await connect(test);
    await redis.kill();
    const dead = { redis: { isConnected: false, totalKeys: 0 }, meetings: undefined };
    expect(await readUntilLost(gauge)).toMatchObject(dead);
    await redis.start();
    forward(1999);
    expect((await gauge.read()).redis.isConnected).toBe(false);
    await connect(test);
    expect(lines.map((line) => /Redis (?:answers|does not) \w+/.exec(line)?.[0])).toEqual([
      "Redis does not answer",
      "Redis answers again",
    ]);
  });

  it("waits for no Redis that hangs, and reports it after the timeout", async () => {
    const { gauge, forward } = createGauge(redis.url);
    await connect({ gauge, forward });
    redis.hang();
    try {
      expect((await gauge.read()).redis.isConnected).toBe(true);
      await readUntilLost(gauge);
      await expectNotToWait({ gauge, forward });
    } finally {
      redis.resume();
    }
    await connect({ gauge, forward });
  });
});

// R12
describe("the gauge of a missing Redis", () => {
  it("connects once in two seconds to a port that refuses, however often it is read", async () => {
    const { gauge, lines } = createGauge(`redis://127.0.0.1:${await freePort()}`);
    for (let reader = 0; reader < 20; reader += 1) {
      expect((await gauge.read()).redis.isConnected).toBe(false);
    }
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toContain("ECONNREFUSED");
  });

  it.skipIf(process.platform !== "linux")("does not wait for dropped packets", async () => {
    const hole = removeAfterTest(await startBlackHole());
    const { gauge, lines, forward } = createGauge(hole.url);
    await expectNotToWait({ gauge, forward });
    expect((await gauge.read()).redis.isConnected).toBe(false);
    await expect.poll(() => lines, { timeout: 3000 }).toHaveLength(1);
  });

  it("keeps no connection that comes up after it gave up", async () => {
    const server = createServer();
    const url = `redis://127.0.0.1:${await listenInTest(server)}`;
    const connected = once(server, "connection");
    const { setTimer, forward } = createManualTimers();
    const log = { warn: () => undefined, info: () => undefined };
    const gauge = removeAfterTest(new RedisGauge({ url, log, setTimer }));
    const reading = gauge.read();
    forward(250);
    expect((await reading).redis.isConnected).toBe(false);
    const [socket] = (await connected) as [Socket];
    await once(socket.resume(), "close");
  });
});
