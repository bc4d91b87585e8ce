import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { getCounts } from "~/services/broadcast/broadcast-stats.server";
import { PlatformBroadcaster } from "~/services/broadcast/drivers/platform-broadcaster.server";
import { createPlatformDispatcher } from "~/services/broadcast/platform-jobs.server";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { dialects } from "../databases";
import { addDevices, createTestBroadcasts, names } from "../factories/broadcast";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator } from "../factories/outreach";
import { createLeaseTime } from "../factories/time";
import { PLATFORM_TOKEN, startPlatform } from "../fakes/platform";
import type { FakePlatform, PlatformFailure } from "../fakes/platform";
import { findRefusedPort } from "../fakes/smtp-server";
import { useDatabase } from "./use-database";

const content = { title: "We are live", body: "Come and see." };

describe.each(dialects)("the platform's part of a broadcast on %s", (dialect) => {
  let database: Database;
  let platform: FakePlatform;
  const clients: PlatformClient[] = [];
  useDatabase(dialect, (opened) => (database = opened));
  beforeEach(async () => void (platform = await startPlatform()));
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await platform.close();
  });

  function rig() {
    const deps = createTestBroadcasts(database, undefined, { isPlatformUsed: true });
    const ask = async (differing: { url?: string; database?: Database } = {}) => {
      const { url = platform.url, database: own = database } = differing;
      const client = new PlatformClient({ url, token: PLATFORM_TOKEN, clock: deps.clock, timeoutMs: 200 });
      clients.push(client);
      await createPlatformDispatcher({
        database: own,
        clock: deps.clock,
        leaseTime: createLeaseTime(deps.clock),
        newId,
        instance: "one",
        appTypes: brand.appTypes,
        broadcaster: new PlatformBroadcaster(client),
        log: { info: () => undefined, error: () => undefined },
      }).tick();
    };
    const part = async (id: string) => (await deps.getStats(id)).platform;
    return { ...deps, ask, part };
  }
  const everyCall = (trouble: PlatformFailure) => (platform.failRequest = () => trouble);

  it("goes where the specification's section 7 says, and our devices get theirs", async () => {
    await addDevices(database, names(2));
    await addDevices(database, ["app"], { app_type: brand.appTypes.application });
    const { broadcasts, dispatcher, confirmed, ask, getStats } = rig();
    const sent = async (...whom: Parameters<typeof confirmed>) => {
      const id = await confirmed(...whom);
      await dispatcher().tick();
      await ask();
      await dispatcher().tick();
      const kept = await getStats(id);
      return [kept.state, kept.sent, getCounts(kept), platform.applied.splice(0)];
    };
    const counted = { successCount: 3, failureCount: 1 };
    const post = (path: string, more = {}) => ({ method: "POST", path, body: { ...content, ...more } });
    expect(await sent("application")).toEqual([
      "finished",
      0,
      counted,
      [post("/api/Broadcast/app", { appType: "confer-app" })],
    ]);
    expect(await sent("application", "a/b")).toEqual([
      "finished",
      0,
      counted,
      [post("/api/Broadcast/tenant/a%2Fb")],
    ]);
    expect(await sent("all")).toEqual([
      "finished",
      3,
      { successCount: 6, failureCount: 1 },
      [post("/api/Broadcast/all")],
    ]);
    expect(await sent("landing")).toEqual(["finished", 2, { successCount: 2, failureCount: 0 }, []]);
    expect(await broadcasts.countDevices("application")).toBe(0);
  });

  it("is enough for a broadcast without any device of ours, except to subscribers", async () => {
    const { broadcasts, draft, confirmed } = rig();
    await confirmed("all");
    await confirmed("application");
    const id = await draft("landing");
    expect(await broadcasts.confirm({ id, expectedDevices: 0 }, operator)).toEqual({
      ok: false,
      error: "no-devices",
    });
  });

  it.each<[string, PlatformFailure]>([
    ["was cut off after it was acted on", "cut"],
    ["never came", "slow"],
    ["broke off", "cut-within-reply"],
    ["cannot be read", "other-json"],
    ["was a gateway's, which waited in vain", { status: 504 }],
  ])("is uncertain when the answer %s, and not asked for again by itself", async (_what, trouble) => {
    const { clock, confirmed, ask, part, find } = rig();
    everyCall(trouble);
    const id = await confirmed("application");
    await ask();
    clock.forward(hours(24));
    await ask();
    expect(await part(id)).toMatchObject({ state: "uncertain", successCount: 0 });
    expect((await find(id)).state).toBe("finished");
    expect(platform.requests).toHaveLength(1);
  });

  it("that was refused stands with the platform's words, until somebody has it asked again", async () => {
    const { broadcasts, confirmed, ask, part, find } = rig();
    everyCall({ status: 401, text: "Token expired" });
    const id = await confirmed("application");
    await ask();
    expect(await part(id)).toMatchObject({ state: "failed", detail: "401 Token expired" });
    platform.failRequest = () => undefined;
    await ask();
    expect(platform.applied).toEqual([]);
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: true });
    expect((await find(id)).state).toBe("sending");
    await ask();
    expect([await part(id), (await find(id)).state]).toMatchObject([{ state: "sent" }, "finished"]);
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    const audit = database.read.selectFrom("audit").select("action").where("subject", "=", id).orderBy("id");
    expect((await audit.execute()).map(({ action }) => action)).toEqual([
      "confirm-broadcast",
      "ask-platform-again",
    ]);
  });

  it("waits for a platform that is not there or has no time, and goes by itself", async () => {
    const { clock, confirmed, ask, part } = rig();
    const id = await confirmed("application");
    await ask({ url: `http://127.0.0.1:${await findRefusedPort()}` });
    expect(await part(id)).toMatchObject({ state: "retrying" });
    await ask();
    expect(platform.requests).toEqual([]);
    clock.forward(seconds(30));
    everyCall({ status: 429, headers: { "Retry-After": "600" } });
    await ask();
    platform.failRequest = () => undefined;
    clock.forward(minutes(10) - 1);
    await ask();
    expect(platform.applied).toEqual([]);
    clock.forward(1);
    await ask();
    expect(await part(id)).toMatchObject({ state: "sent", successCount: 3, failureCount: 1 });
  });

  it("has failed after seven times", async () => {
    const { clock, confirmed, ask, part } = rig();
    everyCall({ status: 503, text: "Closed" });
    const id = await confirmed("application");
    for (let time = 0; time < 10; time += 1) {
      await ask();
      clock.forward(hours(4));
    }
    expect(await part(id)).toMatchObject({ state: "failed", detail: "503 Closed" });
    expect(platform.requests).toHaveLength(7);
  });

  it("is uncertain after a crash between asking and writing the answer down (R4)", async () => {
    const { dispatcher, confirmed, ask, part, find } = rig();
    const id = await confirmed("application");
    const { victim } = createMortalDatabase(database, { atWrite: 3, moment: "before" });
    await expect(ask({ database: victim })).rejects.toThrow("killed");
    expect(await part(id)).toMatchObject({ state: "claimed" });
    await ask();
    expect(await part(id)).toMatchObject({ state: "uncertain", detail: "interrupted by a crash" });
    await dispatcher().tick();
    expect((await find(id)).state).toBe("finished");
    expect(platform.applied).toHaveLength(1);
  });

  it("is asked for once, however many instances there are", async () => {
    const { confirmed, ask, part } = rig();
    const id = await confirmed("application");
    await Promise.all([ask(), ask(), ask()]);
    expect(platform.applied).toHaveLength(1);
    expect(await part(id)).toMatchObject({ state: "sent" });
  });

  it("waits while the broadcast is paused, and is left out when it is cancelled", async () => {
    const { broadcasts, dispatcher, confirmed, ask, part, find } = rig();
    const id = await confirmed("application");
    await broadcasts.pause(id, operator);
    await ask();
    expect(platform.requests).toEqual([]);
    await broadcasts.cancel(id, operator);
    await dispatcher().tick();
    await ask();
    expect(await part(id)).toMatchObject({ state: "skipped" });
    expect((await find(id)).finished_at).not.toBeNull();
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    expect(platform.requests).toEqual([]);
  });
});
