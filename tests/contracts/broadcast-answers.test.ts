import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import type { PushOutcome } from "~/services/push/push-sender";
import { dialects } from "../databases";
import { addDevices, auditOf, broadcastsOn, endpointOf, names } from "../factories/broadcast";
import { operator } from "../factories/outreach";
import { subscription, vapidKeys } from "../factories/push";
import { PUSH_NAME, startPushService } from "../fakes/push-service";
import type { PushAnswer } from "../fakes/push-service";
import { accepted, gone } from "../fakes/scripted-push-sender";
import { useDatabase } from "./use-database";

const failing: PushOutcome = { kind: "deferred", status: 503, detail: "", retryAfterMs: undefined };

describe.each(dialects)("a broadcast on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  /** Every row of R10's table, by the real engine against a service that speaks the real protocol. */
  async function againstService(answer: (path: string) => PushAnswer) {
    const service = await startPushService(answer);
    const keys = vapidKeys();
    const world = broadcastsOn(database);
    const sender = new WebPushSender({
      ...{ ...keys, clock: world.clock, contact: "mailto:hello@example.com" },
      hosts: createPushHosts([`${PUSH_NAME}:${service.port}`]),
      transport: { ca: service.cert, resolve: () => ({ address: "127.0.0.1", family: 4 }), timeoutMs: 500 },
    });
    const register = async (path: string, differing = {}) => {
      const address = sender.readToken(subscription(service.endpoint(path)).token);
      if (!address) throw new Error("The token was not read");
      await addDevices(database, [path], { ...address, ...differing });
    };
    const end = async () => {
      await sender.close();
      await service.close();
    };
    return { ...world, service, register, end, run: () => world.dispatcher({ sender }).tick() };
  }

  describe("by what the push service answers (R10)", () => {
    it("removes a device for 404 and 410 alone, refuses 400 and 413, and counts each row", async () => {
      const statuses = [201, 404, 410, 400, 413, 302];
      const world = await againstService((path) => ({ status: Number(path.slice(1)), body: "its words" }));
      for (const status of statuses) await world.register(String(status));
      await world.register("old-keys", { public_key: vapidKeys().publicKey });
      const id = await world.confirmed();
      await world.run();
      expect(await world.book(id)).toMatchObject({
        ...{ state: "finished", devices: 7, sent: 1, gone: 2, failed: 4, waiting: 0 },
      });
      expect((await world.rows(id)).map(({ state, detail }) => `${state}: ${detail}`)).toEqual([
        ...["accepted: 201 its words", "gone: 404 its words", "gone: 410 its words", "failed: 400 its words"],
        ...["failed: 413 its words", "failed: 302 its words"],
        "failed: Registered with other VAPID keys than ours",
      ]);
      expect(await world.devices()).toEqual(
        ["201", "400", "413", "302", "old-keys"].map((path) => world.service.endpoint(path)),
      );
      expect(world.service.received).toHaveLength(6);
      await world.end();
    });

    it.each([401, 403])("stops at %s with the service's words, and removes nobody", async (status) => {
      let answer = status;
      const world = await againstService((path) => ({
        ...{ status: path === "/1" ? 201 : answer, body: "invalid JWT\nprovided" },
      }));
      for (const path of ["1", "2", "3"]) await world.register(path);
      const id = await world.confirmed();
      await world.run();
      expect(await world.find(id)).toMatchObject({
        ...{ state: "paused", stopped_by: "unauthorized", trouble: `${status} invalid JWT provided` },
      });
      expect(await world.book(id)).toMatchObject({ sent: 1, waiting: 2, failed: 0, gone: 0 });
      expect(await world.devices()).toHaveLength(3);
      expect(await auditOf(database, id)).toContain("system stop-broadcast");
      const asked = world.service.received.length;
      await world.run();
      expect(world.service.received).toHaveLength(asked);
      answer = 201;
      expect(await world.broadcasts.resume(id, operator)).toEqual({ ok: true });
      await world.run();
      expect(await world.book(id)).toMatchObject({ state: "finished", sent: 3 });
      expect(await world.find(id)).toMatchObject({ trouble: "", stopped_by: "" });
      await world.end();
    });

    it("sends again what got no answer, in the place of the first", async () => {
      let answer: PushAnswer = "drop";
      const world = await againstService(() => answer);
      await world.register("a");
      const id = await world.confirmed();
      await world.run();
      expect((await world.rows(id))[0]).toMatchObject({ state: "retrying", attempts: 1 });
      answer = { status: 201 };
      world.clock.forward(seconds(10));
      await world.run();
      expect(await world.book(id)).toMatchObject({ state: "finished", sent: 1 });
      await world.end();
    });
  });

  describe("tries again (R10)", () => {
    const limited = (retryAfterMs?: number): PushOutcome => ({
      ...{ kind: "deferred", status: 429, detail: "", retryAfterMs },
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
      const { clock, sender, dispatcher, confirmed, rows, book } = broadcastsOn(database, (_, time) =>
        time === 1 ? outcome : accepted,
      );
      const id = await confirmed();
      const sending = dispatcher({ random: () => random });
      await sending.tick();
      expect((await rows(id))[0]).toMatchObject({ state: "retrying", not_before: clock() + wait });
      clock.forward(wait - 1);
      await sending.tick();
      expect(sender.begun).toHaveLength(1);
      clock.forward(1);
      await sending.tick();
      expect(sender.begun).toHaveLength(2);
      expect(await book(id)).toMatchObject({ state: "finished", sent: 1 });
    });

    it("twice as long each time, and gives up after the tenth", async () => {
      await addDevices(database, ["a"]);
      const { clock, sender, dispatcher, confirmed, rows, book, devices } = broadcastsOn(
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
      expect(sender.begun).toHaveLength(10);
      expect(await book(id)).toMatchObject({ state: "finished", failed: 1 });
      expect(await devices()).toHaveLength(1);
    });

    it("the failed ones when an operator asks, from the start, and nobody else", async () => {
      await addDevices(database, names(4));
      const { sender, broadcasts, dispatcher, confirmed, book } = broadcastsOn(database, (endpoint) =>
        endpoint === endpointOf("device-2") ? new Error("cannot be encrypted for") : accepted,
      );
      const id = await confirmed();
      await dispatcher().tick();
      expect(await book(id)).toMatchObject({ state: "finished", sent: 3, failed: 1 });
      sender.script = () => accepted;
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await book(id)).toMatchObject({ state: "finished", sent: 4 });
      expect(sender.begun).toHaveLength(5);
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: false, error: "wrong-state" });
    });
  });

  describe("when much of the fleet is refused (R10)", () => {
    const refusing = (refused: number) => (endpoint: string) =>
      Number(/\d+$/.exec(endpoint)?.[0]) <= refused ? gone : accepted;

    it("stops after more than 20 of the first 100, and removes no device", async () => {
      await addDevices(database, names(300));
      const { sender, dispatcher, confirmed, find, book, devices } = broadcastsOn(database, () => gone);
      const id = await confirmed();
      await dispatcher().tick();
      expect(await find(id)).toMatchObject({
        state: "paused",
        stopped_by: "refusals",
        trouble: "410 expired",
      });
      expect(sender.begun.length).toBeLessThanOrEqual(20 + 10);
      expect(await book(id)).toMatchObject({ devices: 300, gone: sender.begun.length });
      expect(await devices()).toHaveLength(300);
      await dispatcher().tick();
      expect(sender.begun.length).toBeLessThanOrEqual(30);
    });

    it("asks all of them again when an operator tries again", async () => {
      await addDevices(database, names(150));
      const { sender, broadcasts, dispatcher, confirmed, book, devices } = broadcastsOn(database, () => gone);
      const id = await confirmed();
      await dispatcher().tick();
      sender.script = () => accepted;
      expect(await broadcasts.resume(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await book(id)).toMatchObject({ state: "finished", sent: 150 });
      expect(await devices()).toHaveLength(150);
    });

    it("removes them when an operator says that they are gone, except what registered again", async () => {
      await addDevices(database, names(150));
      const world = broadcastsOn(database, refusing(40));
      const { clock, broadcasts, dispatcher, confirmed, book, devices } = world;
      const id = await confirmed();
      await dispatcher().tick();
      await database.write((trx) =>
        trx
          .updateTable("devices")
          .set({ last_seen_at: clock() + 1 })
          .where("endpoint", "=", endpointOf("device-5"))
          .execute(),
      );
      expect(await broadcasts.acceptRefusals(id, operator)).toEqual({ ok: true });
      await dispatcher().tick();
      expect(await book(id)).toMatchObject({ state: "finished", sent: 110, gone: 40 });
      expect(await devices()).toEqual(["device-5", ...names(150).slice(40)].map(endpointOf));
    });

    it("goes on with 20 of the first 100, and then removes those and later ones", async () => {
      await addDevices(database, names(200));
      const { dispatcher, confirmed, book, devices } = broadcastsOn(database, (endpoint) => {
        const number = Number(/\d+$/.exec(endpoint)?.[0]);
        return number <= 20 || number > 150 ? gone : accepted;
      });
      const id = await confirmed();
      await dispatcher({ concurrency: 1 }).tick();
      expect(await book(id)).toMatchObject({ state: "finished", sent: 130, gone: 70 });
      expect(await devices()).toEqual(names(150).slice(20).map(endpointOf));
    });
  });

  it("stops at a message that no device would get, and removes nobody (R10)", async () => {
    await addDevices(database, names(3));
    const refusal = { kind: "refused", status: 400, detail: "bad payload", isOurFault: true } as const;
    const { broadcasts, dispatcher, confirmed, sender, book } = broadcastsOn(database, () => refusal);
    const id = await confirmed();
    await dispatcher().tick();
    expect(await broadcasts.find(id)).toMatchObject({
      ...{ state: "paused", stopped_by: "message", trouble: "400 bad payload" },
    });
    expect(await book(id)).toMatchObject({ sent: 0, waiting: 3, failed: 0, gone: 0 });
    sender.script = () => accepted;
    await broadcasts.resume(id, operator);
    await dispatcher().tick();
    expect(await book(id)).toMatchObject({ state: "finished", sent: 3 });
  });
});
