import { beforeEach, expect, it } from "vitest";
import { appTypes } from "~/content/brand";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { getBroadcastCounts } from "~/lib/broadcast-counts";
import { PlatformBroadcaster } from "~/services/broadcast/drivers/platform-broadcaster.server";
import { createPlatformWorker } from "~/services/broadcast/platform-jobs.server";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { newId } from "~/services/service-deps";
import { freePort } from "../../scripts/free-port.mjs";
import { removeAfterTest } from "../fixture";
import { createTestBroadcasts } from "../factories/broadcast";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator } from "../factories/outreach";
import { addDevices, names } from "../factories/push";
import { createLeaseTime } from "../factories/time";
import { PLATFORM_TOKEN, startPlatform, type FakePlatform, type PlatformFailure } from "../fakes/platform";
import { describeOnDatabases } from "./use-database";

const content = { title: "We are live", body: "Come and see." };

describeOnDatabases("the platform's part of a broadcast on %s", ({ database }) => {
  let platform: FakePlatform;
  let fixture: ReturnType<typeof createTestBroadcasts>;
  beforeEach(async () => {
    fixture = createTestBroadcasts(database, undefined, { isPlatformUsed: true });
    platform = removeAfterTest(await startPlatform());
  });

  /** Runs a worker of the platform's parts once. */
  async function sendPart(differing: { url?: string; database?: Database } = {}): Promise<void> {
    const { clock } = fixture;
    const url = differing.url ?? platform.url;
    const client = new PlatformClient({ url, token: PLATFORM_TOKEN, clock, timeoutMs: 200 });
    await createPlatformWorker({
      database: differing.database ?? database,
      clock,
      leaseTime: createLeaseTime(clock),
      newId,
      instance: "one",
      appTypes,
      broadcaster: new PlatformBroadcaster(client),
      log: { info: () => undefined, error: () => undefined },
    }).tick();
  }
  const getPart = async (id: string) => (await fixture.getStats(id)).platform;
  const failAll = (failure: PlatformFailure) => (platform.failRequest = () => failure);

  it("goes where the specification's section 7 says, and the landing page's devices get ours", async () => {
    const { broadcasts, confirm, send, getStats } = fixture;
    await addDevices(database, names(2));
    await addDevices(database, ["app"], { app_type: appTypes.application });
    const counted = { successCount: 3, failureCount: 1 };
    for (const [audience, tenant, sent, counts, path, more] of [
      ["application", undefined, 0, counted, "/api/Broadcast/app", { appType: "confer-app" }],
      ["application", "a/b", 0, counted, "/api/Broadcast/tenant/a%2Fb", {}],
      ["all", undefined, 2, { successCount: 5, failureCount: 1 }, "/api/Broadcast/all", {}],
      ["landing", undefined, 2, { successCount: 2, failureCount: 0 }, undefined, {}],
    ] as const) {
      const id = await confirm(audience, tenant);
      await send();
      await sendPart();
      await send();
      const stats = await getStats(id);
      expect(stats).toMatchObject({ state: "finished", sent });
      expect(getBroadcastCounts(stats)).toEqual(counts);
      const [listed] = await broadcasts.list({ limit: 1 });
      const { successCount, failureCount } = counts;
      expect(listed?.stats).toMatchObject({ sent: successCount, failed: failureCount });
      expect(listed?.stats.lacksPart ?? false).toBe(false);
      const call = { method: "POST", path, body: { ...content, ...more } };
      expect(platform.applied.splice(0)).toEqual(path === undefined ? [] : [call]);
    }
    expect(await broadcasts.countDevices("application")).toBe(0);
    expect(await broadcasts.countDevices("all")).toBe(2);
  });

  it("suffices for a broadcast without any device of ours", async () => {
    const { broadcasts, createDraft, review, confirm } = fixture;
    await confirm("all");
    await confirm("application");
    const id = await createDraft("landing");
    const confirmation = await broadcasts.confirm({ id, reviewed: await review(id) }, operator);
    expect(confirmation).toEqual({ ok: false, error: "no-devices" });
  });

  it.each<[string, PlatformFailure]>([
    ["no response after the request was applied", "cut"],
    ["no response in time", "slow"],
    ["a response that breaks off", "cut-within-reply"],
    ["a response of another form", "other-json"],
    ["a gateway's timeout", { status: 504 }],
  ])("is uncertain after %s, and is not retried automatically", async (_what, failure) => {
    const { broadcasts, clock, confirm, find } = fixture;
    failAll(failure);
    const id = await confirm("application");
    await sendPart();
    clock.forward(hours(24));
    await sendPart();
    expect(await getPart(id)).toMatchObject({ state: "uncertain", successCount: 0 });
    expect((await find(id)).state).toBe("finished");
    expect(await broadcasts.list({ limit: 1 })).toMatchObject([{ stats: { lacksPart: true } }]);
    expect(platform.requests).toHaveLength(1);
  });

  it("fails with the platform's message when refused, until an operator retries it", async () => {
    const { broadcasts, confirm, find } = fixture;
    failAll({ status: 401, text: "Token expired" });
    const id = await confirm("application");
    await sendPart();
    expect(await getPart(id)).toMatchObject({ state: "failed", detail: "401 Token expired" });
    platform.failRequest = () => undefined;
    await sendPart();
    expect(platform.applied).toEqual([]);
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: true });
    expect((await find(id)).state).toBe("sending");
    await sendPart();
    expect([await getPart(id), (await find(id)).state]).toMatchObject([{ state: "sent" }, "finished"]);
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    expect(await fixture.listAuditEntries(id)).toEqual([
      `${operator.by} confirm-broadcast`,
      `${operator.by} ask-platform-again`,
    ]);
  });

  it("is retried automatically while the platform is unreachable or rate-limits", async () => {
    const { clock, confirm } = fixture;
    const id = await confirm("application");
    await sendPart({ url: `http://127.0.0.1:${await freePort()}` });
    expect(await getPart(id)).toMatchObject({ state: "retrying" });
    await sendPart();
    expect(platform.requests).toEqual([]);
    clock.forward(seconds(30));
    failAll({ status: 429, headers: { "Retry-After": "600" } });
    await sendPart();
    platform.failRequest = () => undefined;
    clock.forward(minutes(10) - 1);
    await sendPart();
    expect(platform.applied).toEqual([]);
    clock.forward(1);
    await sendPart();
    expect(await getPart(id)).toMatchObject({ state: "sent", successCount: 3, failureCount: 1 });
  });

  it("fails after seven attempts", async () => {
    const { clock, confirm } = fixture;
    failAll({ status: 503, text: "Closed" });
    const id = await confirm("application");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await sendPart();
      clock.forward(hours(4));
    }
    expect(await getPart(id)).toMatchObject({ state: "failed", detail: "503 Closed" });
    expect(platform.requests).toHaveLength(7);
  });

  // R4
  it("is uncertain after a crash between the request and recording its result", async () => {
    const { send, confirm, find } = fixture;
    const id = await confirm("application");
    const { victim } = createMortalDatabase(database, { atWrite: 3, moment: "before" });
    await expect(sendPart({ database: victim })).rejects.toThrow("killed");
    expect(await getPart(id)).toMatchObject({ state: "claimed" });
    fixture.clock.forward(seconds(5));
    await sendPart();
    expect(await getPart(id)).toMatchObject({ state: "uncertain", detail: "interrupted by a crash" });
    await send();
    expect((await find(id)).state).toBe("finished");
    expect(platform.applied).toHaveLength(1);
  });

  it("waits while the broadcast is paused, and is skipped when it is cancelled", async () => {
    const { broadcasts, send, confirm, find } = fixture;
    const id = await confirm("application");
    await broadcasts.pause(id, operator);
    await sendPart();
    expect(platform.requests).toEqual([]);
    await broadcasts.cancel(id, operator);
    await send();
    await sendPart();
    expect(await getPart(id)).toMatchObject({ state: "skipped" });
    expect((await find(id)).finished_at).not.toBeNull();
    expect(await broadcasts.retryPlatform(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    expect(platform.requests).toEqual([]);
  });
});
