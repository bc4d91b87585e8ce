import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RedisGauge } from "~/services/resources/drivers/redis-gauge.server";
import { freePort } from "../../scripts/free-port.mjs";
import { hasRedis, startBlackHole, startRedis } from "../redis";
import type { RedisServer } from "../redis";

/** The gauge's 15 ms, with room for a busy machine; whoever waited for Redis itself would wait 250 ms. */
const SOON_MS = 200;

function gaugeOf(url: string) {
  let now = 0;
  const told: string[] = [];
  const note = (details: unknown, words?: string) => {
    told.push(JSON.stringify(details) + (words ?? ""));
  };
  const gauge = new RedisGauge({ url, log: { warn: note, info: note }, elapsed: () => now });
  return { gauge, told, forward: (ms: number) => void (now += ms) };
}

async function timedRead(gauge: RedisGauge) {
  const began = performance.now();
  const result = await gauge.read();
  return { result, ms: performance.now() - began };
}

/** Reads until a look that was begun has ended. */
async function settled(gauge: RedisGauge, isConnected: boolean) {
  await expect.poll(async () => (await gauge.read()).redis.isConnected, { timeout: 5000 }).toBe(isConnected);
  return gauge.read();
}

describe.skipIf(!hasRedis)("a look into a real Redis (R12)", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  it("tells its memory and keys, and nothing of meetings where no key is theirs", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SET", "anything", "1");
    const { gauge } = gaugeOf(redis.url);
    const reading = await settled(gauge, true);
    expect(reading.meetings).toBeUndefined();
    expect(reading.redis).toMatchObject({ isConnected: true, totalKeys: 1, activeMeetings: 0 });
    const used = Number(/used_memory:(\d+)/.exec(String(await redis.run("INFO", "memory")))?.[1]);
    expect(Math.abs(reading.redis.memoryUsageMB - used / 1_048_576)).toBeLessThan(1);
    await gauge.close();
  });

  it("counts meetings, bots and recordings by their keys", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SADD", "meetings:active", "a", "b", "c");
    await redis.run("SADD", "meetings:bots", "x", "y");
    await redis.run("SET", "meetings:recordings", "1204");
    const { gauge } = gaugeOf(redis.url);
    const told = { concurrentMeetings: 3, activeBots: 2, totalRecordings: 1204 };
    expect(await settled(gauge, true)).toMatchObject({ redis: { activeMeetings: 3 }, meetings: told });
    // The last meeting ends: Redis keeps no empty set, the recordings still say that somebody tells.
    await redis.run("DEL", "meetings:active");
    await expect.poll(async () => (await gauge.read()).meetings).toEqual({ ...told, concurrentMeetings: 0 });
    await gauge.close();
  });

  it("takes a key of another kind for nothing", async () => {
    await redis.run("FLUSHALL");
    await redis.run("SET", "meetings:active", "not a set");
    await redis.run("SET", "meetings:recordings", "-1 or so");
    await redis.run("SADD", "meetings:bots", "x");
    const { gauge } = gaugeOf(redis.url);
    const { meetings, redis: status } = await settled(gauge, true);
    expect(meetings).toEqual({ concurrentMeetings: 0, activeBots: 1, totalRecordings: 0 });
    expect(status.isConnected).toBe(true);
    await gauge.close();
  });

  it("never tells the password (C24)", async () => {
    const { gauge, told } = gaugeOf(redis.url.replace(encodeURIComponent(redis.password), "wrong-one"));
    await settled(gauge, false);
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]).toContain("WRONGPASS");
    expect(JSON.stringify([await gauge.read(), told])).not.toMatch(/wrong-one|secret/);
    await gauge.close();
  });

  it("that dies is away at once, rests for two seconds, and is back after that", async () => {
    const { gauge, told, forward } = gaugeOf(redis.url);
    await settled(gauge, true);
    await redis.kill();
    expect(await settled(gauge, false)).toMatchObject({
      redis: { isConnected: false, totalKeys: 0 },
      meetings: undefined,
    });
    await redis.start();
    forward(1999);
    expect((await gauge.read()).redis.isConnected).toBe(false);
    forward(1);
    await settled(gauge, true);
    expect(told.map((line) => /Redis is \w+/.exec(line)?.[0])).toEqual(["Redis is away", "Redis is back"]);
    await gauge.close();
  });

  it("that hangs holds up nobody, and is away once its time is over", async () => {
    const { gauge, forward } = gaugeOf(redis.url);
    await settled(gauge, true);
    redis.hang();
    try {
      const { result, ms } = await timedRead(gauge);
      expect(ms).toBeLessThan(SOON_MS);
      expect(result.redis.isConnected).toBe(true);
      await settled(gauge, false);
      forward(2000);
      expect((await timedRead(gauge)).ms).toBeLessThan(SOON_MS);
    } finally {
      redis.resume();
    }
    await expect
      .poll(
        async () => {
          forward(2000);
          return (await gauge.read()).redis.isConnected;
        },
        { timeout: 5000 },
      )
      .toBe(true);
    await gauge.close();
  });
});

describe("a Redis that is not there (R12)", () => {
  it("that refuses is away, and asked once in two seconds however often it is read", async () => {
    const { gauge, told } = gaugeOf(`redis://127.0.0.1:${await freePort()}`);
    for (let reader = 0; reader < 20; reader += 1) {
      expect((await gauge.read()).redis.isConnected).toBe(false);
    }
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]).toContain("ECONNREFUSED");
    await gauge.close();
  });

  it.skipIf(process.platform !== "linux")("that swallows every packet holds up nobody", async () => {
    const hole = await startBlackHole();
    const { gauge, told, forward } = gaugeOf(hole.url);
    for (let round = 0; round < 3; round += 1) {
      const { result, ms } = await timedRead(gauge);
      expect(ms).toBeLessThan(SOON_MS);
      expect(result.redis.isConnected).toBe(false);
      forward(2000);
    }
    await expect.poll(() => told.length, { timeout: 3000 }).toBe(1);
    await gauge.close();
    await hole.remove();
  });
});
