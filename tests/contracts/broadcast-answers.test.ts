import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import type { PushOutcome } from "~/services/push/push-sender";
import { dialects } from "../databases";
import {
  addDevices,
  listAuditEntries,
  createTestBroadcasts,
  getEndpoint,
  LONG_KNOWN,
  names,
} from "../factories/broadcast";
import { operator } from "../factories/outreach";
import { createBroadcastsWithService } from "../factories/broadcast-service";
import { createVapidKeys } from "../factories/push";
import type { PushAnswer } from "../fakes/push-service";
import { accepted, gone } from "../fakes/scripted-push-sender";
import { useDatabase } from "./use-database";

const failing: PushOutcome = { kind: "deferred", status: 503, detail: "", retryAfterMs: undefined };

describe.each(dialects)("a broadcast on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  describe("by what the push service answers (R10)", () => {
    it("removes a device for 404 and 410 alone, refuses 400 and 413, and counts each row", async () => {
      const statuses = [201, 404, 410, 400, 413, 302];
      const world = await createBroadcastsWithService(database, (path) => ({
        status: Number(path.slice(1)),
        body: "its words",
      }));
      await world.register(statuses.map(String));
      await world.register(["old-keys"], { public_key: createVapidKeys().publicKey });
      const id = await world.confirmed();
      await world.run();
      expect(await world.getStats(id)).toMatchObject({
        state: "finished",
        devices: 7,
        sent: 1,
        gone: 2,
        failed: 4,
        waiting: 0,
      });
      expect((await world.rows(id)).map(({ state, detail }) => `${state}: ${detail}`)).toEqual([
        "accepted: 201 its words",
        "gone: 404 its words",
        "gone: 410 its words",
        "failed: 400 its words",
        "failed: 413 its words",
        "failed: 302 its words",
        "failed: Registered with other VAPID keys than ours",
      ]);
      expect(await world.devices()).toEqual(
        ["201", "400", "413", "302", "old-keys"].map((path) => world.service.endpoint(path)),
      );
      expect(world.service.received).toHaveLength(6);
      await world.end();
    });

    it.each([401, 403])(
      "stops at %s for long-known devices in a row, with the service's words, and removes nobody (C39)",
      async (status) => {
        let answer = status;
        const world = await createBroadcastsWithService(
          database,
          (path) => ({ status: path === "/hostile" ? 403 : answer, body: "invalid JWT\nprovided" }),
          { concurrency: 1 },
        );
        await world.register(["hostile"]);
        await world.register(names(8), LONG_KNOWN);
        const id = await world.confirmed();
        await world.run();
        expect(await world.find(id)).toMatchObject({
          state: "paused",
          stopped_by: "unauthorized",
          trouble: `${status} invalid JWT provided`,
        });
        expect(await world.getStats(id)).toMatchObject({ sent: 0, waiting: 4, failed: 5, gone: 0 });
        expect(await world.devices()).toHaveLength(9);
        expect(await listAuditEntries(database, id)).toContain("system stop-broadcast");
        const asked = world.service.received.length;
        await world.run();
        expect(world.service.received).toHaveLength(asked);
        answer = 201;
        expect(await world.broadcasts.resume(id, operator)).toEqual({ ok: true });
        await world.run();
        expect(await world.getStats(id)).toMatchObject({ state: "finished", sent: 8, failed: 1 });
        expect(await world.find(id)).toMatchObject({ trouble: "", stopped_by: "" });
        await world.end();
      },
    );

    it("sends again what got no answer, in the place of the first", async () => {
      let answer: PushAnswer = "drop";
      const world = await createBroadcastsWithService(database, () => answer);
      await world.register(["a"]);
      const id = await world.confirmed();
      await world.run();
      expect((await world.rows(id))[0]).toMatchObject({ state: "retrying", attempts: 1 });
      answer = { status: 201 };
      world.clock.forward(seconds(10));
      await world.run();
      expect(await world.getStats(id)).toMatchObject({ state: "finished", sent: 1 });
      await world.end();
    });
  });

  describe("tries again (R10)", () => {
    const limited = (retryAfterMs?: number): PushOutcome => ({
      kind: "deferred",
      status: 429,
      detail: "",
      retryAfterMs,
    });
    it.each<[string, PushOutcome, number, number]>([
      ["429 without Retry-After, from a minute", limited(), 0, minutes(1)],
      ["429 with Retry-After, exactly then", limited(seconds(95)), 1, seconds(95)],
      ["429 with a Retry-After that is over, after ten seconds", limited(0), 1, seconds(10)],
      ["429 with a Retry-After of a month, after a day", limited(days(30)), 0, days(1)],
      ["503 after ten seconds", failing, 0, seconds(10)],
      ["503 with jitter, up to half of it more", failing, 1, seconds(15)],
      ["503 with Retry-After, exactly then", { ...failing, retryAfterMs: hours(1) }, 1, hours(1)],
      ["a service that is away", { kind: "unreachable", detail: "refused" }, 0, seconds(10)],
      ["a connection that was lost", { kind: "unknown", detail: "cut" }, 0.5, seconds(12.5)],
    ])("%s", async (_, outcome, random, wait) => {
      await addDevices(database, ["a"]);
      const { clock, sender, dispatcher, confirmed, rows, getStats } = createTestBroadcasts(
        database,
        (_, time) => (time === 1 ? outcome : accepted),
      );
      const id = await confirmed();
      const sending = dispatcher({ random: () => random });
      await sending.tick();
      expect((await rows(id))[0]).toMatchObject({ state: "retrying", not_before: clock() + wait });
      clock.forward(wait - 1);
      await sending.tick();
      expect(sender.received).toHaveLength(1);
      clock.forward(1);
      await sending.tick();
      expect(sender.received).toHaveLength(2);
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 1 });
    });

    it("twice as long each time, and gives up after the tenth", async () => {
      await addDevices(database, ["a"]);
      const { clock, sender, dispatcher, confirmed, rows, getStats, devices } = createTestBroadcasts(
        database,
        () => failing,
      );
      const id = await confirmed();
      const sending = dispatcher();
      const waits: number[] = [];
      for (;;) {
        await sending.tick();
        const [row] = await rows(id);
        if (row?.state !== "retrying") break;
        waits.push((row.not_before - clock()) / seconds(10));
        clock.forward(row.not_before - clock());
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
      expect(sender.received).toHaveLength(10);
      expect(await getStats(id)).toMatchObject({ state: "finished", failed: 1 });
      expect(await devices()).toHaveLength(1);
    });

    it("the failed ones when an operator asks, from the start, and nobody else", async () => {
      await addDevices(database, names(4));
      const { sender, broadcasts, dispatcher, confirmed, getStats } = createTestBroadcasts(
        database,
        (endpoint) =>
          endpoint === getEndpoint("device-2") ? new Error("cannot be encrypted for") : accepted,
      );
      const id = await confirmed();
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 3, failed: 1 });
      sender.script = () => accepted;
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 4 });
      expect(sender.received).toHaveLength(5);
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    });
  });

  describe("when our keys are not accepted (C39)", () => {
    const unauthorized: PushOutcome = { kind: "unauthorized", status: 403, detail: "no" };
    const isRefused = (endpoint: string) => endpoint.includes("refused");
    const refusing = (endpoint: string) => (isRefused(endpoint) ? unauthorized : accepted);
    const refused = (count: number) => names(count).map((name) => `refused-${name}`);
    const at = (clock: () => number, ms: number) => ({ first_accepted_at: clock() - ms });

    it.each<[string, (clock: () => number) => Promise<void>]>([
      ["a hundred devices that never took a message", () => addDevices(database, refused(100))],
      [
        "devices that took their first one a day ago, and no more",
        (clock) => addDevices(database, refused(30), at(clock, days(1))),
      ],
      ["four long-known ones", () => addDevices(database, refused(4), LONG_KNOWN)],
      [
        "long-known ones, with one in between that is accepted",
        async () => {
          await addDevices(database, refused(8).slice(0, 4), LONG_KNOWN);
          await addDevices(database, ["between"], LONG_KNOWN);
          await addDevices(database, refused(8).slice(4), LONG_KNOWN);
        },
      ],
      [
        "long-known ones, each of another push service",
        () =>
          addDevices(database, refused(20), (name) => ({
            ...LONG_KNOWN,
            endpoint: `https://${name}.example.com/x`,
          })),
      ],
    ])("is not stopped by %s", async (_, register) => {
      const { clock, dispatcher, confirmed, getStats, devices } = createTestBroadcasts(database, refusing);
      await register(clock);
      await addDevices(database, names(10));
      const before = await devices();
      const id = await confirmed();
      await dispatcher({ concurrency: 1 }).tick();
      const count = before.filter(isRefused).length;
      expect(await getStats(id)).toMatchObject({
        state: "finished",
        failed: count,
        sent: before.length - count,
      });
      expect(await listAuditEntries(database, id)).not.toContain("system stop-broadcast");
      expect(await devices()).toEqual(before);
    });

    it("stops for five of one push service, also when another one accepts, and for a message no device would get", async () => {
      for (const [by, outcome] of [
        ["unauthorized", unauthorized],
        ["message", { kind: "refused", status: 403, detail: "no", isOurFault: true }],
      ] as const) {
        const { dispatcher, confirmed, find, getStats, devices } = createTestBroadcasts(
          database,
          (endpoint) => (isRefused(endpoint) ? outcome : accepted),
        );
        await addDevices(
          database,
          names(10).flatMap((name) => [`${by}-refused-${name}`, `${by}-${name}`]),
          (name) => ({
            ...LONG_KNOWN,
            ...(!isRefused(name) && { endpoint: `https://another.example.com/${name}` }),
          }),
        );
        const before = await devices();
        const id = await confirmed();
        await dispatcher({ concurrency: 1 }).tick();
        expect(await find(id)).toMatchObject({ state: "paused", stopped_by: by, trouble: "403 no" });
        expect(await getStats(id)).toMatchObject({ failed: 5 });
        expect(await devices()).toEqual(before);
        await database.write((trx) => trx.deleteFrom("devices").execute());
      }
    });

    it("is stopped once by a push service, and goes on past it when an operator tries again", async () => {
      await addDevices(database, refused(20), LONG_KNOWN);
      await addDevices(database, names(10));
      const { broadcasts, dispatcher, confirmed, getStats, devices } = createTestBroadcasts(
        database,
        refusing,
      );
      const id = await confirmed();
      const sending = dispatcher({ concurrency: 1 });
      await sending.tick();
      expect(await getStats(id)).toMatchObject({ state: "paused", failed: 5, sent: 0 });
      await broadcasts.resume(id, operator);
      await sending.tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", failed: 20, sent: 10 });
      expect(await devices()).toHaveLength(30);
    });

    it("stops at once when we are not let in at all, and counts no device", async () => {
      await addDevices(database, names(3));
      const { broadcasts, dispatcher, confirmed, sender, getStats, find } = createTestBroadcasts(
        database,
        () => ({
          kind: "credentials-refused",
          status: 400,
          detail: "invalid_grant",
        }),
      );
      const id = await confirmed();
      await dispatcher({ concurrency: 1 }).tick();
      expect(await find(id)).toMatchObject({
        state: "paused",
        stopped_by: "unauthorized",
        trouble: "400 invalid_grant",
      });
      expect(await getStats(id)).toMatchObject({ waiting: 3, failed: 0 });
      sender.script = () => accepted;
      await broadcasts.resume(id, operator);
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 3 });
    });

    it("counts a device from a day after its first accepted message", async () => {
      await addDevices(database, refused(5));
      const { clock, sender, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
      const stateAfter = async (ms: number) => {
        clock.forward(ms);
        const id = await confirmed();
        await dispatcher().tick();
        return (await getStats(id)).state;
      };
      expect(await stateAfter(0)).toBe("finished");
      sender.script = refusing;
      expect(await stateAfter(days(1))).toBe("finished");
      expect(await stateAfter(1)).toBe("paused");
    });
  });

  describe("when much of the fleet is refused (R10)", () => {
    const refusing = (refused: number) => (endpoint: string) =>
      endpoint.endsWith("hostile") || Number(/\d+$/.exec(endpoint)?.[0]) <= refused ? gone : accepted;

    /** So many that took messages before, and one that somebody made up (C39). */
    async function addFleet(count: number): Promise<void> {
      await addDevices(database, ["hostile"]);
      await addDevices(database, names(count), LONG_KNOWN);
    }

    it("stops after more than 20 of the first 100, and removes no device", async () => {
      await addFleet(300);
      const { sender, dispatcher, confirmed, find, getStats, devices } = createTestBroadcasts(
        database,
        () => gone,
      );
      const id = await confirmed();
      await dispatcher().tick();
      expect(await find(id)).toMatchObject({
        state: "paused",
        stopped_by: "refusals",
        trouble: "410 expired",
      });
      expect(sender.received.length).toBeLessThanOrEqual(20 + 10);
      expect(await getStats(id)).toMatchObject({ devices: 301, gone: sender.received.length });
      expect(await devices()).toHaveLength(301);
      await dispatcher().tick();
      expect(sender.received.length).toBeLessThanOrEqual(30);
    });

    it("asks all of them again when an operator tries again", async () => {
      await addFleet(150);
      const { sender, broadcasts, dispatcher, confirmed, getStats, devices } = createTestBroadcasts(
        database,
        () => gone,
      );
      const id = await confirmed();
      await dispatcher().tick();
      sender.script = refusing(0);
      expect(await broadcasts.resume(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 150, gone: 1 });
      expect(await devices()).toEqual(names(150).map(getEndpoint));
    });

    it("removes them when an operator says that they are gone, except what registered again", async () => {
      await addFleet(150);
      const world = createTestBroadcasts(database, refusing(40));
      const { clock, broadcasts, dispatcher, confirmed, getStats, devices } = world;
      const id = await confirmed();
      await dispatcher().tick();
      await database.write((trx) =>
        trx
          .updateTable("devices")
          .set({ last_seen_at: clock() + 1 })
          .where("endpoint", "=", getEndpoint("device-5"))
          .execute(),
      );
      expect(await broadcasts.acceptRefusals(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 110, gone: 41 });
      expect(await devices()).toEqual(["device-5", ...names(150).slice(40)].map(getEndpoint));
    });

    it("goes on with 20 of the first 100, and then removes those and later ones", async () => {
      await addFleet(200);
      const { dispatcher, confirmed, getStats, devices } = createTestBroadcasts(database, (endpoint) =>
        Number(/\d+$/.exec(endpoint)?.[0]) > 150 ? gone : refusing(20)(endpoint),
      );
      const id = await confirmed();
      await dispatcher({ concurrency: 1 }).tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 130, gone: 71 });
      expect(await devices()).toEqual(names(150).slice(20).map(getEndpoint));
    });

    it("goes on whatever becomes of devices that never took a message, and removes those that are gone (C39)", async () => {
      const made = names(100).map((name) => `${name}-hostile`);
      await addDevices(database, made);
      await addDevices(database, names(100), LONG_KNOWN);
      const { dispatcher, confirmed, getStats, devices } = createTestBroadcasts(database, refusing(20));
      const id = await confirmed();
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 80, gone: 120 });
      expect(await devices()).toEqual(names(100).slice(20).map(getEndpoint));
    });

    it("removes nobody when nobody accepted it, known or not (C39)", async () => {
      await addDevices(database, names(30));
      const { dispatcher, confirmed, getStats, devices } = createTestBroadcasts(database, () => gone);
      const id = await confirmed();
      await dispatcher().tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", gone: 30 });
      expect(await devices()).toHaveLength(30);
    });
  });
});
