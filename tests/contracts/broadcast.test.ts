import { describe, expect, it } from "vitest";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import type { BroadcastAudience } from "~/db/tables/broadcast";
import { dialects } from "../databases";
import {
  addDevices,
  listAuditEntries,
  createTestBroadcasts,
  getEndpoint,
  names,
} from "../factories/broadcast";
import { operator } from "../factories/outreach";
import { accepted, gone } from "../fakes/scripted-push-sender";
import { useDatabase } from "./use-database";

describe.each(dialects)("a broadcast on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  describe("reaches", () => {
    it("every device of its audience once, and none that registered later (section 7)", async () => {
      const application = { app_type: brand.appTypes.application };
      await addDevices(database, names(2_500));
      await addDevices(database, ["app-1", "app-2"], application);
      await addDevices(database, ["acme-1"], { ...application, tenant_id: "acme" });
      await addDevices(database, ["of another engine"], { kind: "fcm", endpoint: "" });
      const { sender, broadcasts, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
      const reached = async (audience: BroadcastAudience, tenant?: string) => {
        const expected = await broadcasts.countDevices(audience, tenant);
        const id = await confirmed(audience, tenant);
        await addDevices(database, [`later ${id}`], { ...application, tenant_id: tenant ?? null });
        await dispatcher({ concurrency: 500 }).tick();
        expect(await getStats(id)).toMatchObject({ state: "finished", devices: expected, sent: expected });
        await database.write((trx) =>
          trx.deleteFrom("devices").where("token", "=", `token of later ${id}`).execute(),
        );
        return sender.received.splice(0);
      };
      const all = await reached("all");
      expect(all.map(({ endpoint }) => endpoint)).toEqual(
        [...names(2_500), "app-1", "app-2", "acme-1"].map(getEndpoint),
      );
      expect(await reached("landing")).toHaveLength(2_500);
      const endpoints = async (...given: Parameters<typeof reached>) =>
        (await reached(...given)).map(({ endpoint }) => endpoint);
      expect(await endpoints("application")).toEqual(["app-1", "app-2", "acme-1"].map(getEndpoint));
      expect(await endpoints("application", "acme")).toEqual([getEndpoint("acme-1")]);
      // A company belongs to the application audience alone.
      expect(await endpoints("landing", "acme")).toHaveLength(2_500);
    });

    it("each device with the broadcast's id as tag, and its push service is named in the ledger (R4)", async () => {
      await addDevices(database, ["a"]);
      await addDevices(database, ["b"], { endpoint: "https://updates.push.services.mozilla.com" });
      const { sender, dispatcher, confirmed, rows } = createTestBroadcasts(database);
      const id = await confirmed();
      await dispatcher().tick();
      expect(sender.received[0]?.message).toEqual({
        notification: { title: "We are live", body: "Come and see." },
        tag: id,
      });
      expect((await rows(id)).map(({ service }) => service)).toEqual([
        "push.example.com",
        "updates.push.services.mozilla.com",
      ]);
    });

    it("its first devices while the rest of 2,000 is still being put into the ledger", async () => {
      await addDevices(database, names(2_000));
      const { sender, dispatcher, confirmed, rows, getStats } = createTestBroadcasts(database);
      const id = await confirmed();
      let frozenAtFirst: number | undefined;
      sender.script = async () => {
        frozenAtFirst ??= (await rows(id)).length;
        return accepted;
      };
      await dispatcher({ concurrency: 50 }).tick();
      expect(frozenAtFirst).toBeLessThan(2_000);
      expect(await getStats(id)).toMatchObject({ state: "finished", sent: 2_000 });
    });
  });

  describe("is confirmed", () => {
    it("once, however often it is asked for, and is written down once (C30, C36)", async () => {
      await addDevices(database, names(3));
      const { sender, broadcasts, dispatcher, draft, find } = createTestBroadcasts(database);
      const id = await draft();
      const answers = await Promise.all(
        names(5).map(() => broadcasts.confirm({ id, expectedDevices: 3 }, operator)),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
      expect(answers.filter((answer) => answer.ok && !answer.already)).toHaveLength(1);
      await dispatcher().tick();
      expect(await broadcasts.confirm({ id, expectedDevices: 3 }, operator)).toEqual({
        ok: true,
        already: true,
      });
      await dispatcher().tick();
      expect(sender.received).toHaveLength(3);
      expect(await listAuditEntries(database, id)).toEqual([`${operator.by} confirm-broadcast`]);
      // What was sent is never changed by a form that comes again.
      const content = { audience: "all", tenant: undefined, title: "Other", body: "x", link: "" } as const;
      expect(await broadcasts.saveDraft(id, content, operator.by)).toBe(false);
      expect((await find(id)).title).toBe("We are live");
    });

    it("only with the number of devices the operator saw, and not for nobody", async () => {
      const { broadcasts, draft } = createTestBroadcasts(database);
      const id = await draft();
      const confirm = (expectedDevices: number) => broadcasts.confirm({ id, expectedDevices }, operator);
      expect(await confirm(0)).toEqual({ ok: false, error: "no-devices" });
      await addDevices(database, names(2));
      expect(await confirm(1)).toEqual({ ok: false, error: "audience-changed", devices: 2 });
      expect(await broadcasts.confirm({ id: "x", expectedDevices: 1 }, operator)).toEqual({
        ok: false,
        error: "unknown-broadcast",
      });
    });
  });

  describe("is paused, goes on and is cancelled", () => {
    it("leaves nobody in between, and what was cancelled is never sent", async () => {
      await addDevices(database, names(1_500));
      const { sender, broadcasts, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
      const id = await confirmed();
      let paused: unknown;
      sender.script = async () => {
        paused ??= await broadcasts.pause(id, operator);
        return accepted;
      };
      const sending = dispatcher();
      await sending.tick();
      const { sent, state } = await getStats(id);
      expect([state, sent]).toEqual(["paused", sender.received.length]);
      expect(sent).toBeLessThan(100);
      expect(await broadcasts.countUnderWay()).toEqual({ active: 0, paused: 1 });
      expect(await broadcasts.list(10)).toMatchObject([
        { id, stats: { sent, failed: 0 }, paused: { by: operator.by } },
      ]);
      expect(await broadcasts.pause(id, operator)).toEqual({ ok: false, error: "wrong-state" });
      expect(await broadcasts.cancel(id, operator)).toEqual({ ok: true });
      await sending.tick();
      expect(await getStats(id)).toMatchObject({ state: "cancelled", sent, waiting: 0 });
      expect(await broadcasts.retryFailed(id, operator)).toEqual({ ok: false, error: "wrong-state" });
      expect(await broadcasts.countUnderWay()).toEqual({ active: 0, paused: 0 });
    });
  });

  it("says why devices were not reached, the most frequent cause first", async () => {
    await addDevices(database, names(30));
    const { broadcasts, dispatcher, confirmed } = createTestBroadcasts(database, (endpoint) => {
      if (endpoint.endsWith("3")) return { kind: "refused", status: 400, detail: "400 no" };
      return endpoint.endsWith("7") && !endpoint.endsWith("27") ? gone : accepted;
    });
    const id = await confirmed();
    await dispatcher().tick();
    const causes = await broadcasts.getFailureCauses(id);
    expect(causes.map(({ state, count }) => [state, count])).toEqual([
      ["failed", 3],
      ["gone", 2],
    ]);
    expect(causes[0]?.detail).toContain("no");
  });

  it("is listed and copied by pages that hold each device once, in every state", async () => {
    await addDevices(database, names(30));
    const { broadcasts, dispatcher, confirmed } = createTestBroadcasts(database, (endpoint) =>
      endpoint.endsWith("3") ? { kind: "refused", status: 400, detail: "no" } : accepted,
    );
    const id = await confirmed();
    await dispatcher().tick();
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await broadcasts.listPushes(id, { after, limit: 7 });
      seen.push(...page.map(({ device_id }) => device_id));
      if (page.length < 7) break;
      after = page.at(-1)?.device_id;
    }
    expect([seen.length, new Set(seen).size]).toEqual([30, 30]);
    expect(await broadcasts.listPushes(id, { state: "failed", limit: 50 })).toHaveLength(3);
    const copy = await broadcasts.exportPushes(id, "failed", operator);
    if (!copy.ok) throw new Error("No copy");
    const batches = [];
    for await (const rows of copy.batches) batches.push(rows.length);
    expect(batches).toEqual([3]);
    expect(await listAuditEntries(database, id)).toContain(`${operator.by} export-devices`);
    expect(await broadcasts.exportPushes("x", undefined, operator)).toEqual({ ok: false });
  });
});
