import { expect, it } from "vitest";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { createApiBroadcasts } from "~/services/api-broadcast/api-broadcasts.server";
import { createIdempotency } from "~/services/idempotency/idempotency.server";
import { createTestBroadcasts } from "../factories/broadcast";
import { addDevices, names } from "../factories/push";
import { caller, toApiToken } from "../factories/tokens";
import { describeOnDatabases } from "./use-database";

const draft = { audience: "all", tenant: undefined, title: "We are live", body: "Come." } as const;

describeOnDatabases("a broadcast of the API on %s", ({ database }) => {
  async function setUp({ devices = 1, perDay = 0 } = {}) {
    await addDevices(database, names(devices));
    const fixture = createTestBroadcasts(database, undefined, { perDay });
    const { clock, broadcasts } = fixture;
    /** Runs while a call waits for the next poll. */
    let whileWaiting = async (): Promise<void> => undefined;
    const calls = createApiBroadcasts({
      database,
      broadcasts,
      clock,
      idempotency: createIdempotency({ database, clock }),
      pause: async (ms) => {
        clock.forward(ms);
        await whileWaiting();
      },
    });
    const send = (idempotencyKey?: string, title: string = draft.title) =>
      calls.send({ ...draft, title }, { token: toApiToken("t"), idempotencyKey, from: caller });
    /** Sends a broadcast and returns its id. */
    const create = async (idempotencyKey?: string) => {
      const outcome = await send(idempotencyKey);
      if (outcome.kind !== "sent") throw new Error(outcome.kind);
      return outcome.id;
    };
    const doWhileWaiting = (work: () => Promise<void>) => (whileWaiting = work);
    return { ...fixture, calls, send, create, doWhileWaiting };
  }
  const listConfirmed = () =>
    database.read.selectFrom("broadcasts").select(["id", "state"]).where("state", "!=", "draft").execute();

  it("is confirmed at once in the name of the token's account, and returns its counts", async () => {
    const { calls, create, createWorker, doWhileWaiting, listAuditEntries } = await setUp({ devices: 3 });
    const id = await create();
    doWhileWaiting(() => createWorker().tick());
    const status = await calls.waitUntilSettled(id);
    expect(status).toMatchObject({ id, state: "finished", successCount: 3, failureCount: 0 });
    expect(await listAuditEntries(id)).toEqual(["grace@example.com confirm-broadcast"]);
  });

  it("is waited for at most 25 seconds, and not at all when an operator has to decide", async () => {
    const { clock, calls, broadcasts, create } = await setUp();
    const id = await create();
    const before = clock();
    expect(await calls.waitUntilSettled(id)).toMatchObject({ state: "preparing" });
    expect(clock() - before).toBe(seconds(25));
    // Aborted, as when the server shuts down.
    expect(await calls.waitUntilSettled(id, () => true)).toMatchObject({ state: "preparing" });
    expect(clock() - before).toBe(seconds(25));
    await broadcasts.pause(id, { by: "a@example.com", network: "", requestId: "" });
    expect(await calls.waitUntilSettled(id)).toMatchObject({ state: "paused" });
    expect(clock() - before).toBe(seconds(25));
  });

  it("is waited for by at most twenty calls", async () => {
    const { clock, calls, create, doWhileWaiting } = await setUp();
    const id = await create();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    doWhileWaiting(() => released);
    const waiting = Array.from({ length: 20 }, () => calls.waitUntilSettled(id));
    const before = clock();
    expect(await calls.waitUntilSettled(id)).toMatchObject({ state: "preparing" });
    expect(clock() - before).toBeLessThan(seconds(25));
    clock.forward(seconds(25));
    release(undefined);
    expect(await Promise.all(waiting)).toHaveLength(20);
  });

  // C26
  it("is the same one for the same key, and refused for the same key with another text", async () => {
    const { clock, send, create } = await setUp();
    const id = await create("k");
    expect(await send("k")).toEqual({ kind: "sent", id, isRepeated: true });
    expect(await send("k", "Another")).toEqual({ kind: "other-request" });
    expect(await listConfirmed()).toMatchObject([{ id }]);
    clock.forward(hours(24));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
    expect(await listConfirmed()).toHaveLength(2);
  });

  it.each(["before", "after"] as const)("is the same after a crash %s its confirmation", async (moment) => {
    const { clock, send } = await setUp();
    await send("k");
    // The crash left the key claimed and not settled.
    const [claim] = await database.write((trx) =>
      trx.updateTable("idempotency_keys").set({ outcome: null }).returning("reference").execute(),
    );
    const id = claim?.reference ?? "";
    if (moment === "before") {
      await database.write((trx) => trx.deleteFrom("broadcasts").where("id", "=", id).execute());
    }
    expect(await send("k")).toEqual({ kind: "under-way" });
    clock.forward(minutes(20));
    expect(await send("k")).toEqual({ kind: "sent", id, isRepeated: false });
    expect(await listConfirmed()).toMatchObject([{ id }]);
  });

  it("is not created without devices, and its key stays free", async () => {
    const { send } = await setUp({ devices: 0 });
    expect(await send("k")).toEqual({ kind: "nobody" });
    await addDevices(database, names(1));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
  });

  it("is refused when it is too long for a push service", async () => {
    const { send } = await setUp();
    expect(await send(undefined, "😀".repeat(2000))).toEqual({ kind: "not-sendable" });
  });

  // C30
  it("counts towards the daily limit with those of the screen, and returns the wait", async () => {
    const { clock, confirm, send } = await setUp({ perDay: 2 });
    await confirm();
    expect(await send()).toMatchObject({ kind: "sent" });
    clock.forward(hours(1));
    expect(await send("k")).toEqual({ kind: "day-is-full", retryAfterSeconds: (days(1) - hours(1)) / 1000 });
    expect(await listConfirmed()).toHaveLength(2);
    clock.forward(hours(23));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
  });

  it("has a status only by its own id and once it is confirmed", async () => {
    const { calls, broadcasts, create } = await setUp();
    const id = broadcasts.newBroadcastId();
    await broadcasts.saveDraft(id, { ...draft, link: "" }, "a@example.com");
    for (const unknown of [id, broadcasts.newBroadcastId(), "x", ""]) {
      expect(await calls.getStatus(unknown)).toBeUndefined();
    }
    expect(await calls.getStatus(await create())).toMatchObject({ state: "preparing" });
  });
});
