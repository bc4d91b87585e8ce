import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { createApiBroadcasts } from "~/services/api-broadcast/api-broadcasts.server";
import { createIdempotency } from "~/services/idempotency/idempotency.server";
import { dialects } from "../databases";
import { addDevices, createTestBroadcasts, names } from "../factories/broadcast";
import { caller, toApiToken } from "../factories/tokens";
import { useDatabase } from "./use-database";

const draft = { audience: "all", tenant: undefined, title: "We are live", body: "Come." } as const;

describe.each(dialects)("a broadcast by a program on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  function setUp(perDay = 0) {
    const { clock, broadcasts, confirmed, dispatcher, rows } = createTestBroadcasts(database, undefined, {
      perDay,
    });
    /** What happens while a program waits a fifth of a second. */
    let meanwhile = async (): Promise<void> => undefined;
    const programs = createApiBroadcasts({
      database,
      broadcasts,
      clock,
      idempotency: createIdempotency({ database, clock }),
      pause: async (ms) => {
        clock.forward(ms);
        await meanwhile();
      },
    });
    const send = (idempotencyKey?: string, differing: Partial<typeof draft | { title: string }> = {}) =>
      programs.send({ ...draft, ...differing }, { token: toApiToken("t"), idempotencyKey, from: caller });
    const idOf = (outcome: Awaited<ReturnType<typeof send>>) => {
      if (outcome.kind !== "sent") throw new Error(outcome.kind);
      return outcome.id;
    };
    const whileWaiting = (work: () => Promise<void>) => (meanwhile = work);
    return { clock, programs, broadcasts, confirmed, dispatcher, rows, send, idOf, whileWaiting };
  }
  const stored = () =>
    database.read.selectFrom("broadcasts").select(["id", "state"]).where("state", "!=", "draft").execute();

  it("is confirmed at once in the name of the token's account, and tells how it ended", async () => {
    await addDevices(database, names(3));
    const { programs, dispatcher, send, idOf, whileWaiting } = setUp();
    const id = idOf(await send());
    whileWaiting(() => dispatcher().tick());
    expect(await programs.waitUntilSettled(id)).toMatchObject({
      id,
      state: "finished",
      successCount: 3,
      failureCount: 0,
      isAtRest: true,
    });
    const audit = await database.read.selectFrom("audit").select(["actor", "action", "subject"]).execute();
    expect(audit).toContainEqual({ actor: "grace@example.com", action: "confirm-broadcast", subject: id });
  });

  it("is waited for 25 seconds and told how far it came, and at once when a person has to decide", async () => {
    await addDevices(database, names(1));
    const { clock, programs, broadcasts, send, idOf } = setUp();
    const id = idOf(await send());
    const before = clock();
    expect(await programs.waitUntilSettled(id)).toMatchObject({ state: "preparing", isAtRest: false });
    expect(clock() - before).toBe(seconds(25));
    // Such as when the server is about to end.
    expect(await programs.waitUntilSettled(id, () => true)).toMatchObject({ state: "preparing" });
    expect(clock() - before).toBe(seconds(25));
    await broadcasts.pause(id, { by: "a@example.com", network: "", requestId: "" });
    const paused = clock();
    expect(await programs.waitUntilSettled(id)).toMatchObject({ state: "paused", isAtRest: true });
    expect(clock()).toBe(paused);
  });

  it("keeps no more than twenty programs waiting", async () => {
    await addDevices(database, names(1));
    const { clock, programs, send, idOf, whileWaiting } = setUp();
    const id = idOf(await send());
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    whileWaiting(() => released);
    const waiting = Array.from({ length: 20 }, () => programs.waitUntilSettled(id));
    const before = clock();
    expect(await programs.waitUntilSettled(id)).toMatchObject({ state: "preparing" });
    expect(clock() - before).toBeLessThan(seconds(25));
    clock.forward(seconds(25));
    release();
    expect(await Promise.all(waiting)).toHaveLength(20);
  });

  it("with the same key is one, told again; with another text it is refused (C26)", async () => {
    await addDevices(database, names(1));
    const { clock, send, idOf } = setUp();
    const id = idOf(await send("k"));
    expect(await send("k")).toEqual({ kind: "sent", id, isRepeated: true });
    expect(await send("k", { title: "Another" })).toEqual({ kind: "other-request" });
    expect(await stored()).toMatchObject([{ id }]);
    clock.forward(hours(24));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
    expect(await stored()).toHaveLength(2);
  });

  it("of twenty at once with one key goes out once (C26)", async () => {
    await addDevices(database, names(1));
    const { send } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send("k")));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["sent", "under-way"]));
    expect(await stored()).toHaveLength(1);
  });

  it("cut off by a crash, before or after it was confirmed, is the same one when it is asked for again", async () => {
    await addDevices(database, names(1));
    for (const at of ["before", "after"] as const) {
      const { clock, send } = setUp();
      const key = `crash ${at}`;
      await send(key);
      // As the crash would leave it: claimed, not settled, and confirmed or not.
      await database.write((trx) =>
        trx.updateTable("idempotency_keys").set({ outcome: null }).where("id", "=", `t:${key}`).execute(),
      );
      const [claimed] = await database.read
        .selectFrom("idempotency_keys")
        .select("reference")
        .where("id", "=", `t:${key}`)
        .execute();
      const id = claimed?.reference ?? "";
      if (at === "before") {
        await database.write((trx) => trx.deleteFrom("broadcasts").where("id", "=", id).execute());
      }
      expect(await send(key)).toEqual({ kind: "under-way" });
      clock.forward(minutes(20));
      expect(await send(key)).toEqual({ kind: "sent", id, isRepeated: false });
      expect((await stored()).filter((row) => row.id === id)).toHaveLength(1);
    }
    expect(await stored()).toHaveLength(2);
  });

  it("to nobody is none, keeps no key, and can be tried when somebody is there", async () => {
    const { send } = setUp();
    expect(await send("k")).toEqual({ kind: "nobody" });
    await addDevices(database, names(1));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
  });

  it("that is too long on its way is refused", async () => {
    await addDevices(database, names(1));
    expect(await setUp().send(undefined, { title: "😀".repeat(2000) })).toEqual({ kind: "not-sendable" });
  });

  it("counts with those of the screen against the day's, and the wait is told (C30)", async () => {
    await addDevices(database, names(1));
    const { clock, confirmed, send } = setUp(2);
    await confirmed();
    expect(await send()).toMatchObject({ kind: "sent" });
    clock.forward(hours(1));
    expect(await send("k")).toEqual({ kind: "day-is-full", retryAfterSeconds: (days(1) - hours(1)) / 1000 });
    expect(await stored()).toHaveLength(2);
    clock.forward(hours(23));
    expect(await send("k")).toMatchObject({ kind: "sent", isRepeated: false });
  });

  it("is known by its id when it was confirmed, and by no other", async () => {
    await addDevices(database, names(1));
    const { programs, broadcasts, send, idOf } = setUp();
    const id = broadcasts.newBroadcastId();
    await broadcasts.saveDraft(id, { ...draft, link: "" }, "a@example.com");
    for (const unknown of [id, broadcasts.newBroadcastId(), "x", ""]) {
      expect(await programs.getStatus(unknown)).toBeUndefined();
    }
    expect(await programs.getStatus(idOf(await send()))).toMatchObject({ state: "preparing" });
  });
});
