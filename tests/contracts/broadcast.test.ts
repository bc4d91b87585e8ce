import { beforeEach, expect, it } from "vitest";
import { appTypes } from "~/content/brand";
import type { BroadcastAudience } from "~/db/tables/broadcast";
import type { PushOutcome } from "~/services/push/push-sender";
import { createTestBroadcasts } from "../factories/broadcast";
import { operator } from "../factories/outreach";
import { addDevices, getEndpoint, names } from "../factories/push";
import { accepted, gone } from "../fakes/scripted-push-sender";
import { describeOnDatabases } from "./use-database";

const refused: PushOutcome = { kind: "refused", status: 400, detail: "no" };
const wrongState = { ok: false, error: "wrong-state" };

describeOnDatabases("a broadcast on %s", ({ database }) => {
  let fixture: ReturnType<typeof createTestBroadcasts>;
  beforeEach(() => {
    fixture = createTestBroadcasts(database);
  });

  it("reaches every device of its audience once", async () => {
    const { sender, broadcasts, confirm, send, getStats } = fixture;
    const application = { app_type: appTypes.application };
    await addDevices(database, names(2_500));
    await addDevices(database, ["app-1", "app-2"], application);
    await addDevices(database, ["acme-1"], { ...application, tenant_id: "acme" });
    await addDevices(database, ["of another engine"], { kind: "fcm", endpoint: "" });
    const listReached = async (audience: BroadcastAudience, tenant?: string) => {
      const expected = await broadcasts.countDevices(audience, tenant);
      const id = await confirm(audience, tenant);
      await addDevices(database, [`later ${id}`], { ...application, tenant_id: tenant ?? null });
      await send({ concurrency: 500 });
      expect(await getStats(id)).toMatchObject({ state: "finished", devices: expected, sent: expected });
      await database.write((trx) =>
        trx.deleteFrom("devices").where("token", "=", `token of later ${id}`).execute(),
      );
      return sender.received.splice(0).map(({ endpoint }) => endpoint);
    };
    expect(await listReached("all")).toEqual([...names(2_500), "app-1", "app-2", "acme-1"].map(getEndpoint));
    expect(await listReached("landing")).toHaveLength(2_500);
    expect(await listReached("application")).toEqual(["app-1", "app-2", "acme-1"].map(getEndpoint));
    expect(await listReached("application", "acme")).toEqual([getEndpoint("acme-1")]);
    // A company applies to the application audience only.
    expect(await listReached("landing", "acme")).toHaveLength(2_500);
  });

  // R4
  it("has its id as the tag of each message, and each row names the push service", async () => {
    await addDevices(database, ["a"]);
    await addDevices(database, ["b"], { endpoint: "https://updates.push.services.mozilla.com" });
    const id = await fixture.confirmAndSend();
    expect(fixture.sender.received[0]?.message).toEqual({
      notification: { title: "We are live", body: "Come and see." },
      tag: id,
    });
    expect((await fixture.listRows(id)).map(({ service }) => service)).toEqual([
      "push.example.com",
      "updates.push.services.mozilla.com",
    ]);
  });

  it("is sent to its first devices before all 2,000 rows exist", async () => {
    const { sender, confirm, send, listRows, getStats } = fixture;
    await addDevices(database, names(2_000));
    const id = await confirm();
    let rowsAtFirst: number | undefined;
    sender.script = async () => {
      rowsAtFirst ??= (await listRows(id)).length;
      return accepted;
    };
    await send({ concurrency: 50 });
    expect(rowsAtFirst).toBeLessThan(2_000);
    expect(await getStats(id)).toMatchObject({ state: "finished", sent: 2_000 });
  });

  // C30, C36
  it("is confirmed, recorded and sent once by repeated confirmations", async () => {
    const { sender, broadcasts, createDraft, review, send, find } = fixture;
    await addDevices(database, names(3));
    const id = await createDraft();
    const reviewed = await review(id);
    const confirm = () => broadcasts.confirm({ id, reviewed }, operator);
    const answers = await Promise.all(names(5).map(confirm));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
    expect(answers.filter((answer) => answer.ok && !answer.already)).toHaveLength(1);
    await send();
    expect(await confirm()).toEqual({ ok: true, already: true });
    await send();
    expect(sender.received).toHaveLength(3);
    expect(await fixture.listAuditEntries(id)).toEqual([`${operator.by} confirm-broadcast`]);
    // A form submitted again never changes a confirmed broadcast.
    const content = { audience: "all", tenant: undefined, title: "Other", body: "x", link: "" } as const;
    expect(await broadcasts.saveDraft(id, content, operator.by)).toBe(false);
    expect((await find(id)).title).toBe("We are live");
  });

  it("to the landing page's visitors is known by the time of the last one", async () => {
    const { broadcasts, confirm, clock, createDraft } = fixture;
    await addDevices(database, names(1));
    await createDraft();
    expect(await broadcasts.getLastToLanding()).toBeUndefined();
    await confirm();
    const at = clock();
    clock.forward(1000);
    await createDraft();
    expect(await broadcasts.getLastToLanding()).toBe(at);
  });

  it("is confirmed only with the number of devices shown", async () => {
    const draftId = await fixture.createDraft();
    const { contentHash } = await fixture.review(draftId);
    const confirm = (devices: number, id = draftId) =>
      fixture.broadcasts.confirm({ id, reviewed: { contentHash, devices } }, operator);
    expect(await confirm(0)).toEqual({ ok: false, error: "no-devices" });
    await addDevices(database, names(2));
    expect(await confirm(1)).toEqual({ ok: false, error: "audience-changed", devices: 2 });
    expect(await confirm(1, "x")).toEqual({ ok: false, error: "unknown-broadcast" });
  });

  // C30
  it.each([
    ["title", { title: "Other" }],
    ["message", { body: "Other" }],
    ["link", { link: "/early-access" }],
    ["audience", { audience: "application" }],
    ["company", { audience: "application", tenant: { id: "acme", name: "Acme" } }],
  ] as const)("is confirmed only with the %s shown", async (_, different) => {
    const { broadcasts, createDraft, review, find } = fixture;
    // As many in each audience.
    await addDevices(database, ["a"], { app_type: appTypes.application, tenant_id: "acme" });
    const id = await createDraft("company" in different ? "application" : "all");
    const reviewed = await review(id);
    const { audience, title, body, link } = await find(id);
    const shown = { audience, title, body, link, tenant: undefined };
    expect(await broadcasts.saveDraft(id, { ...shown, ...different }, operator.by)).toBe(true);
    expect(await broadcasts.confirm({ id, reviewed }, operator)).toEqual({
      ok: false,
      error: "content-changed",
    });
    expect((await find(id)).state).toBe("draft");
    expect(await broadcasts.saveDraft(id, shown, operator.by)).toBe(true);
    expect(await broadcasts.confirm({ id, reviewed }, operator)).toEqual({ ok: true, already: false });
  });

  it("sends nothing more once it is paused and cancelled, and counts every device", async () => {
    const { sender, broadcasts, createWorker, confirm, getStats } = fixture;
    await addDevices(database, names(1_500));
    const id = await confirm();
    let paused: unknown;
    sender.script = async () => {
      paused ??= await broadcasts.pause(id, operator);
      return accepted;
    };
    const worker = createWorker();
    await worker.tick();
    const { sent, state } = await getStats(id);
    expect([state, sent]).toEqual(["paused", sender.received.length]);
    expect(sent).toBeLessThan(100);
    expect(await broadcasts.countUnderWay()).toEqual({ active: 0, paused: 1 });
    expect(await broadcasts.list({ limit: 10 })).toMatchObject([
      { id, stats: { sent, failed: 0 }, paused: { by: operator.by } },
    ]);
    expect(await broadcasts.pause(id, operator)).toEqual(wrongState);
    expect(await broadcasts.cancel(id, operator)).toEqual({ ok: true });
    await worker.tick();
    expect(await getStats(id)).toMatchObject({ state: "cancelled", sent, waiting: 0 });
    expect(await broadcasts.retryFailed(id, operator)).toEqual(wrongState);
    expect(await broadcasts.countUnderWay()).toEqual({ active: 0, paused: 0 });
  });

  // R10
  it("lists why devices were not reached, and removes gone ones", async () => {
    await addDevices(database, names(30));
    fixture.sender.script = (endpoint) => {
      if (endpoint.endsWith("3")) return refused;
      if (endpoint.endsWith("27")) return { kind: "unusable", detail: "other keys" };
      return endpoint.endsWith("7") ? gone : accepted;
    };
    const failures = await fixture.broadcasts.getFailureCauses(await fixture.confirmAndSend());
    expect(failures).toEqual({
      causes: [
        { state: "failed", count: 3, detail: "400 no" },
        { state: "gone", count: 2, detail: "410 expired" },
        { state: "failed", count: 1, detail: "other keys" },
      ],
      onlyFirst: undefined,
    });
    const kept = names(30).filter((name) => name !== "device-7" && name !== "device-17");
    expect(await fixture.listEndpoints()).toEqual(kept.map(getEndpoint));
  });

  it("says of how many devices the causes are, when there are more", async () => {
    await addDevices(database, names(1));
    const id = await fixture.confirmAndSend();
    const push = await database.read.selectFrom("pushes").selectAll().executeTakeFirstOrThrow();
    const others = names(10_002)
      .slice(1)
      .map((name) => ({ id: `${id}.${name}`, device_id: name }));
    for (let at = 0; at < others.length; at += 1000) {
      const ids = others.slice(at, at + 1000);
      const rows = ids.map((each) => ({ ...push, ...each, state: "gone" as const, detail: "410 expired" }));
      await database.write((trx) => trx.insertInto("pushes").values(rows).execute());
    }
    expect(await fixture.broadcasts.getFailureCauses(id)).toEqual({
      causes: [{ state: "gone", count: 10_000, detail: "410 expired" }],
      onlyFirst: 10_000,
    });
  });

  it("is listed and exported in pages that contain each device once, in every state", async () => {
    const { sender, broadcasts, confirmAndSend } = fixture;
    await addDevices(database, names(30));
    sender.script = (endpoint) => (endpoint.endsWith("3") ? refused : accepted);
    const id = await confirmAndSend();
    const listed: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await broadcasts.listPushes(id, { after, limit: 7 });
      listed.push(...page.map(({ device_id }) => device_id));
      if (page.length < 7) break;
      after = page.at(-1)?.device_id;
    }
    expect([listed.length, new Set(listed).size]).toEqual([30, 30]);
    expect(await broadcasts.listPushes(id, { state: "failed", limit: 50 })).toHaveLength(3);
    const exported = await broadcasts.exportPushes(id, "failed", operator);
    if (!exported.ok) throw new Error("Nothing was exported");
    const batches = [];
    for await (const rows of exported.batches) batches.push(rows.length);
    expect(batches).toEqual([3]);
    expect(await fixture.listAuditEntries(id)).toContain(`${operator.by} export-devices`);
    expect(await broadcasts.exportPushes("x", undefined, operator)).toEqual({ ok: false });
  });
});
