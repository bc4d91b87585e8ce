import { beforeEach, describe, expect, it } from "vitest";
import type { Database, Write } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { removeGoneDevices } from "~/services/broadcast/audience.server";
import type { PushOutcome } from "~/services/push/push-sender";
import { waitUntilBlocked } from "../factories/blocked-writes";
import { createTestBroadcasts } from "../factories/broadcast";
import { operator } from "../factories/outreach";
import { addDevices, getEndpoint, LONG_KNOWN, names } from "../factories/push";
import { accepted, gone } from "../fakes/scripted-push-sender";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

const WRONG_STATE = { ok: false, error: "wrong-state" };
const failing: PushOutcome = { kind: "deferred", status: 503, detail: "", retryAfterMs: undefined };
const limited = (retryAfterMs?: number): PushOutcome => ({ ...failing, status: 429, retryAfterMs });

describeOnDatabases("a broadcast on %s", ({ database }) => {
  let fixture: ReturnType<typeof createTestBroadcasts>;
  beforeEach(() => {
    fixture = createTestBroadcasts(database);
  });

  // R10
  describe("retries", () => {
    it.each<[string, PushOutcome, number, number]>([
      ["429 without Retry-After after a minute", limited(), 0, minutes(1)],
      ["429 with Retry-After exactly then", limited(seconds(95)), 1, seconds(95)],
      ["429 with a past Retry-After after ten seconds", limited(0), 1, seconds(10)],
      ["429 with a Retry-After of a month after a day", limited(days(30)), 0, days(1)],
      ["503 after ten seconds", failing, 0, seconds(10)],
      ["503 with jitter, up to half of it more", failing, 1, seconds(15)],
      ["503 with Retry-After exactly then", { ...failing, retryAfterMs: hours(1) }, 1, hours(1)],
      ["an unreachable service", { kind: "unreachable", detail: "refused" }, 0, seconds(10)],
      ["a lost connection", { kind: "unknown", detail: "cut" }, 0.5, seconds(12.5)],
    ])("%s", async (_, outcome, random, wait) => {
      const { clock, sender, createWorker, confirm, listRows, getStats } = fixture;
      await addDevices(database, ["a"]);
      sender.script = (_endpoint, time) => (time === 1 ? outcome : accepted);
      const id = await confirm();
      const worker = createWorker({ random: () => random });
      await worker.tick();
      expect(await listRows(id)).toMatchObject([{ state: "retrying", not_before: clock() + wait }]);
      clock.forward(wait - 1);
      await worker.tick();
      expect(sender.received).toHaveLength(1);
      clock.forward(1);
      await worker.tick();
      expect(sender.received).toHaveLength(2);
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 1 });
    });

    it.each([
      ["without Retry-After", failing],
      ["with one that asks for less", { ...failing, retryAfterMs: 0 }],
    ])("%s with twice the delay each time, and gives up after the tenth attempt", async (_, outcome) => {
      const { clock, sender, createWorker, confirm, listRows, getStats, listEndpoints } = fixture;
      await addDevices(database, ["a"]);
      sender.script = () => outcome;
      const id = await confirm();
      const worker = createWorker();
      const waits: number[] = [];
      for (;;) {
        await worker.tick();
        const [row] = await listRows(id);
        if (row?.state !== "retrying") break;
        waits.push((row.not_before - clock()) / seconds(10));
        clock.forward(row.not_before - clock());
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
      expect(sender.received).toHaveLength(10);
      expect(await getStats(id)).toMatchObject({ state: "finished", failed: 1 });
      expect(await listEndpoints()).toHaveLength(1);
    });

    it("only the failed devices when an operator asks for it", async () => {
      const { sender, broadcasts, send, getStats } = fixture;
      await addDevices(database, names(4));
      sender.script = (endpoint) =>
        endpoint === getEndpoint("device-2") ? new Error("cannot be encrypted for") : accepted;
      const id = await fixture.confirmAndSend();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 3, failed: 1 });
      sender.script = () => accepted;
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      await send();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 4 });
      expect(sender.received).toHaveLength(5);
      expect(await broadcasts.retryFailed(id, operator)).toEqual(WRONG_STATE);
    });

    it("leave no device waiting in a broadcast that finishes between two batches of them", async () => {
      const { sender, broadcasts, send, getStats } = fixture;
      await addDevices(database, names(1200));
      sender.script = () => new Error("cannot be encrypted for");
      const id = await fixture.confirmAndSend();
      sender.script = () => accepted;
      const { write } = database;
      let writes = 0;
      database.write = async <T>(work: (trx: Write) => Promise<T>): Promise<T> => {
        writes += 1;
        if (writes === 2) {
          // The process is suspended after the first batch, and another instance sends it.
          database.write = write;
          await send();
        }
        return write(work);
      };
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 1000, failed: 200, waiting: 0 });
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      await send();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 1200 });
    });

    it("once, and a second request on an old page ends no pause", async () => {
      const { sender, broadcasts, confirmAndSend, find, listAuditEntries } = fixture;
      await addDevices(database, names(4));
      sender.script = () => new Error("cannot be encrypted for");
      const id = await confirmAndSend();
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: true });
      expect(await broadcasts.pause(id, operator)).toEqual({ ok: true });
      expect(await broadcasts.retryFailed(id, operator)).toEqual(WRONG_STATE);
      expect(await find(id)).toMatchObject({ state: "paused", hold: "operator" });
      const retries = (await listAuditEntries(id)).filter((entry) => entry.endsWith("retry-broadcast"));
      expect(retries).toHaveLength(1);
    });
  });

  // C39
  describe("whose keys are refused", () => {
    const unauthorized: PushOutcome = { kind: "unauthorized", status: 403, detail: "no" };
    const isRefused = (endpoint: string) => endpoint.includes("refused");
    const refusing = (endpoint: string) => (isRefused(endpoint) ? unauthorized : accepted);
    const refused = (count: number) => names(count).map((name) => `refused-${name}`);

    const ofAnotherService = (name: string) => ({ ...LONG_KNOWN, endpoint: `https://${name}.example.com/x` });
    it.each<[string, readonly string[], Parameters<typeof addDevices>[2]?]>([
      ["a hundred devices that never accepted a message", refused(100)],
      ["four long-known devices", refused(4), LONG_KNOWN],
      ["long-known ones with an accepted message between", refused(8).toSpliced(4, 0, "between"), LONG_KNOWN],
      ["long-known devices, each of another push service", refused(20), ofAnotherService],
    ])("is not stopped by %s", async (_, devices, differing) => {
      const { sender, confirmAndSend, getStats, listEndpoints } = fixture;
      sender.script = refusing;
      await addDevices(database, devices, differing);
      await addDevices(database, names(10));
      const before = await listEndpoints();
      const id = await confirmAndSend({ concurrency: 1 });
      const failed = before.filter(isRefused).length;
      expect(await getStats(id)).toMatchObject({ state: "finished", failed, sent: before.length - failed });
      expect(await fixture.listAuditEntries(id)).not.toContain("system stop-broadcast");
      expect(await listEndpoints()).toEqual(before);
    });

    it.each<[string, PushOutcome]>([
      ["unauthorized", unauthorized],
      ["message", { kind: "refused", status: 403, detail: "no", isOurFault: true }],
    ])("is stopped by %s for five devices of a push service, though another accepts", async (by, outcome) => {
      const { sender, confirmAndSend, find, getStats, listEndpoints } = fixture;
      sender.script = (endpoint) => (isRefused(endpoint) ? outcome : accepted);
      const devices = names(10).flatMap((name) => [`refused-${name}`, name]);
      await addDevices(database, devices, (name) => ({
        ...LONG_KNOWN,
        ...(!isRefused(name) && { endpoint: `https://another.example.com/${name}` }),
      }));
      const before = await listEndpoints();
      const id = await confirmAndSend({ concurrency: 1 });
      expect(await find(id)).toMatchObject({ state: "paused", hold: by, hold_detail: "403 no" });
      expect(await getStats(id)).toMatchObject({ failed: 5 });
      expect(await listEndpoints()).toEqual(before);
    });

    it("is stopped once by a push service, and finishes when an operator resumes it", async () => {
      const { sender, broadcasts, confirm, createWorker, getStats, listEndpoints } = fixture;
      await addDevices(database, refused(20), LONG_KNOWN);
      await addDevices(database, names(10));
      sender.script = refusing;
      const id = await confirm();
      const worker = createWorker({ concurrency: 1 });
      await worker.tick();
      expect(await getStats(id)).toMatchObject({ state: "paused", failed: 5, sent: 0 });
      expect(await fixture.listAuditEntries(id)).toContain("system stop-broadcast");
      await worker.tick();
      expect(sender.received).toHaveLength(5);
      await broadcasts.resume(id, operator);
      await worker.tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", failed: 20, sent: 10 });
      expect(await fixture.find(id)).toMatchObject({ hold_detail: "", hold: "" });
      expect(await listEndpoints()).toHaveLength(30);
    });

    it("is stopped once by a push service that accepts some messages between", async () => {
      const { sender, broadcasts, confirm, createWorker, getStats } = fixture;
      await addDevices(database, refused(10).toSpliced(5, 0, "between"), LONG_KNOWN);
      sender.script = refusing;
      const id = await confirm();
      const worker = createWorker({ concurrency: 1 });
      await worker.tick();
      expect(await getStats(id)).toMatchObject({ state: "paused", failed: 5, sent: 0 });
      await broadcasts.resume(id, operator);
      await worker.tick();
      expect(await getStats(id)).toMatchObject({ state: "finished", failed: 10, sent: 1 });
    });

    it("stops at once when our credentials are refused, and fails no device", async () => {
      const { sender, broadcasts, confirmAndSend, send, getStats, find } = fixture;
      await addDevices(database, names(3));
      sender.script = () => ({ kind: "credentials-refused", status: 400, detail: "invalid_grant" });
      const id = await confirmAndSend({ concurrency: 1 });
      const paused = { state: "paused", hold: "unauthorized", hold_detail: "400 invalid_grant" };
      expect(await find(id)).toMatchObject(paused);
      expect(await getStats(id)).toMatchObject({ waiting: 3, failed: 0 });
      sender.script = () => accepted;
      await broadcasts.resume(id, operator);
      await send();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 3 });
    });

    it("counts a device from a day after its first accepted message", async () => {
      const { clock, sender, confirmAndSend, getStats } = fixture;
      await addDevices(database, refused(5));
      const getStateAfter = async (ms: number) => {
        clock.forward(ms);
        return (await getStats(await confirmAndSend())).state;
      };
      expect(await getStateAfter(0)).toBe("finished");
      sender.script = refusing;
      expect(await getStateAfter(days(1))).toBe("finished");
      expect(await getStateAfter(1)).toBe("paused");
    });
  });

  // R10
  describe("that many devices refuse", () => {
    const refusing = (refused: number) => (endpoint: string) =>
      endpoint.endsWith("hostile") || Number(/\d+$/.exec(endpoint)?.[0]) <= refused ? gone : accepted;

    /** Adds `count` devices that accepted messages before, and a made-up one (C39). */
    async function addFleet(count: number): Promise<void> {
      await addDevices(database, ["hostile"]);
      await addDevices(database, names(count), LONG_KNOWN);
    }

    it("stops after more than 20 of the first 100, and removes no device", async () => {
      const { sender, confirmAndSend, send, find, getStats, listEndpoints } = fixture;
      await addFleet(300);
      sender.script = () => gone;
      const id = await confirmAndSend();
      const paused = { state: "paused", hold: "refusals", hold_detail: "410 expired" };
      expect(await find(id)).toMatchObject(paused);
      expect(sender.received.length).toBeLessThanOrEqual(20 + 10);
      expect(await getStats(id)).toMatchObject({ devices: 301, gone: sender.received.length });
      expect(await listEndpoints()).toHaveLength(301);
      await send();
      expect(sender.received.length).toBeLessThanOrEqual(30);
    });

    it("sends to all of them again when an operator resumes it", async () => {
      const { sender, broadcasts, confirmAndSend, send, getStats, listEndpoints } = fixture;
      await addFleet(150);
      sender.script = () => gone;
      const id = await confirmAndSend();
      sender.script = refusing(0);
      expect(await broadcasts.resume(id, operator)).toEqual({ ok: true });
      await send();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 150, gone: 1 });
      expect(await listEndpoints()).toEqual(names(150).map(getEndpoint));
    });

    it("removes them when an operator accepts the refusals", async () => {
      const { clock, sender, broadcasts, confirmAndSend, send, getStats, listEndpoints } = fixture;
      await addFleet(150);
      sender.script = refusing(40);
      const id = await confirmAndSend();
      let accepting: Promise<unknown> | undefined;
      // This device registers again at the same moment.
      await database.write(async (trx) => {
        await trx
          .updateTable("devices")
          .set({ last_seen_at: clock() + 1 })
          .where("endpoint", "=", getEndpoint("device-5"))
          .execute();
        accepting = broadcasts.acceptRefusals(id, operator);
        await waitUntilBlocked(database);
      });
      expect(await accepting).toEqual({ ok: true });
      await send();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 110, gone: 41 });
      expect(await listEndpoints()).toEqual(["device-5", ...names(150).slice(40)].map(getEndpoint));
    });

    it("is not assessed again by who resumes it when a colleague accepted the refusals first", async () => {
      const { sender, broadcasts, confirmAndSend, find, getStats } = fixture;
      await addFleet(150);
      sender.script = refusing(40);
      const id = await confirmAndSend();
      let accepting: ReturnType<typeof broadcasts.acceptRefusals> | undefined;
      const overtaken: Database = {
        ...database,
        async write(work) {
          accepting ??= broadcasts.acceptRefusals(id, operator);
          await accepting;
          return database.write(work);
        },
      };
      const { gone: refused } = await getStats(id);
      expect(await createTestBroadcasts(overtaken).broadcasts.resume(id, operator)).toEqual(WRONG_STATE);
      expect(await accepting).toEqual({ ok: true });
      expect(await find(id)).toMatchObject({ hold: "", answers: 100, refusals: 0 });
      expect(await getStats(id)).toMatchObject({ gone: refused });
    });

    it("lists the gone ones once, however many devices there are", async () => {
      await addFleet(1);
      const id = await fixture.confirmAndSend();
      const plans = await database.write((trx) =>
        getPlans({ ...database, read: trx }, ({ read }) => removeGoneDevices(read as Write, id, [`${id}.1`])),
      );
      expect(plans.join("\n")).toContain("devices");
      expect(plans.join("\n")).not.toMatch(/CORRELATED|SubPlan/);
    });

    it("continues after 20 of the first 100, and then removes those and later ones", async () => {
      const { sender, confirmAndSend, getStats, listEndpoints } = fixture;
      await addFleet(200);
      sender.script = (endpoint) =>
        Number(/\d+$/.exec(endpoint)?.[0]) > 150 ? gone : refusing(20)(endpoint);
      const id = await confirmAndSend({ concurrency: 1 });
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 130, gone: 71 });
      expect(await listEndpoints()).toEqual(names(150).slice(20).map(getEndpoint));
    });

    // C39
    it("continues whatever new devices answer, and removes gone ones", async () => {
      const { sender, confirmAndSend, getStats, listEndpoints } = fixture;
      const hostile = names(100).map((name) => `${name}-hostile`);
      await addDevices(database, hostile);
      await addDevices(database, names(100), LONG_KNOWN);
      sender.script = refusing(20);
      const id = await confirmAndSend();
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 80, gone: 120 });
      expect(await listEndpoints()).toEqual(names(100).slice(20).map(getEndpoint));
    });

    // C39
    it("removes no device when none accepted the message", async () => {
      await addDevices(database, names(30));
      fixture.sender.script = () => gone;
      const id = await fixture.confirmAndSend();
      expect(await fixture.getStats(id)).toMatchObject({ state: "finished", gone: 30 });
      expect(await fixture.listEndpoints()).toHaveLength(30);
    });
  });
});
