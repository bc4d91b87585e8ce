import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes } from "~/lib/durations";
import { dialects } from "../databases";
import { createTestDevices, createSubscription } from "../factories/push";
import { useDatabase } from "./use-database";

describe.each(dialects)("a visitor's device on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("is kept with every field of the registration record", async () => {
    const { register, rows, clock, keys } = createTestDevices(database);
    const { token, endpoint, auth } = createSubscription();
    expect(await register(token)).toEqual({ ok: true });
    expect(await rows()).toEqual([
      {
        id: expect.any(String),
        token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        token,
        uid: "ada",

        app_type: "confer-landing",
        tenant_id: null,
        kind: "webpush",
        endpoint,
        auth: auth.toString("base64url"),
        p256dh: JSON.parse(token).keys.p256dh,
        scope: "/push",
        public_key: keys.publicKey,
        created_at: clock(),
        first_seen_at: clock(),
        last_seen_at: clock(),
        first_accepted_at: null,
      },
    ]);
  });

  it("is one row however often it comes, also twenty times at once, and the newest keys win (C28)", async () => {
    const { register, rows, clock } = createTestDevices(database);
    const { token, endpoint } = createSubscription();
    const began = clock();
    await Promise.all(Array.from({ length: 20 }, () => register(token)));
    clock.forward(days(7));
    const renewed = createSubscription(endpoint);
    await register(renewed.token);
    expect(await rows()).toMatchObject([
      { token: renewed.token, created_at: began, first_seen_at: began, last_seen_at: clock() },
    ]);
  });

  it("stays known to work when it comes again, until it was made with another key of ours (C39)", async () => {
    const { register, rows, clock } = createTestDevices(database);
    const { token } = createSubscription();
    await register(token);
    await database.write((trx) => trx.updateTable("devices").set({ first_accepted_at: 7 }).execute());
    clock.forward(days(1));
    await register(token);
    expect(await rows()).toMatchObject([{ first_accepted_at: 7, last_seen_at: clock() }]);
    await database.write((trx) => trx.updateTable("devices").set({ public_key: "our last one" }).execute());
    await register(token);
    expect(await rows()).toMatchObject([{ first_accepted_at: null }]);
  });

  const changed = (change: (told: { endpoint: string; keys: Record<"p256dh" | "auth", string> }) => void) => {
    const told = JSON.parse(createSubscription().token) as Parameters<typeof change>[0];
    change(told);
    return JSON.stringify(told);
  };
  const odd = [
    "\0",
    "\x01",
    "\t",
    "\n",
    "\x7f",
    "\x85",
    "\u00a0",
    "é",
    "\u2028",
    "\ufffe",
    "\uffff",
    "\ud800",
    "\udfff",
    " ",
  ];
  const named = odd.map((character) => [
    `U+${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    character,
  ]);
  it.each(named)(
    "with %s in its address, its keys, its app or its user is refused and not kept (R37)",
    async (_, character = "") => {
      const { register, rows } = createTestDevices(database);
      const { token } = createSubscription();
      const tokens = [
        changed((told) => (told.endpoint += character)),
        changed((told) => (told.endpoint = character + told.endpoint)),
        changed((told) => (told.endpoint = told.endpoint.replace("send", `se${character}nd`))),
        changed((told) => (told.keys.auth += character)),
        changed((told) => (told.keys.p256dh = character + told.keys.p256dh)),
      ];
      const unusable = { ok: false, error: "unusable" };
      for (const one of tokens) expect([one, await register(one)]).toEqual([one, unusable]);
      expect(await register(token, "ada", { appType: `confer-landing${character}` })).toEqual(unusable);
      expect(await register(token, "ada", { userId: `ada${character}` })).toMatchObject({ error: "foreign" });
      expect(await rows()).toEqual([]);
    },
  );

  it("may tell more than we read, in any characters, and is kept (R37)", async () => {
    const { register, rows } = createTestDevices(database);
    const token = JSON.stringify({
      ...(JSON.parse(createSubscription().token) as object),
      more: "\0 \ud800 \uffff",
    });
    expect(await register(token)).toEqual({ ok: true });
    expect(await rows()).toMatchObject([{ token }]);
  });

  it("becomes the other visitor's when the browser changes hands (C28)", async () => {
    const { register, rows, clock } = createTestDevices(database);
    const { token } = createSubscription();
    const began = clock();
    await register(token, "ada");
    clock.forward(hours(1));
    await register(token, "grace");
    expect(await rows()).toMatchObject([{ uid: "grace", created_at: clock(), first_seen_at: began }]);
  });

  it("is refused while there are too many, and those that are known stay and are renewed (R36)", async () => {
    const { register, rows, clock } = createTestDevices(database, { maxDevices: 3 });
    const [known, ...others] = Array.from({ length: 3 }, () => createSubscription().token);
    for (const token of [known ?? "", ...others]) await register(token, token);
    const late = createSubscription().token;
    // It counts every ten minutes.
    clock.forward(minutes(10));
    expect(await register(late, "late")).toEqual({ ok: false, error: "limited", retryAfterSeconds: 600 });
    expect(await register(known ?? "", known)).toEqual({ ok: true });
    expect((await rows()).map(({ token }) => token).sort()).toEqual([known, ...others].sort());
    await database.write((trx) =>
      trx
        .deleteFrom("devices")
        .where("uid", "=", known ?? "")
        .execute(),
    );
    clock.forward(minutes(10));
    expect(await register(late, "late")).toEqual({ ok: true });
  });

  it("is forgotten for the eleventh, the one used longest ago first, and nobody else's is (C28)", async () => {
    const { register, rows, clock } = createTestDevices(database);
    await register(createSubscription().token, "grace");
    const own = Array.from({ length: 11 }, () => createSubscription());
    for (const { token } of own.slice(0, 10)) {
      await register(token);
      clock.forward(1);
    }
    await register(own[0]!.token);
    clock.forward(1);
    await register(own[10]!.token);
    const endpoints = (await rows()).filter(({ uid }) => uid === "ada").map(({ endpoint }) => endpoint);
    expect(endpoints.sort()).toEqual(
      own
        .filter((_, index) => index !== 1)
        .map(({ endpoint }) => endpoint)
        .sort(),
    );
    expect(await rows()).toHaveLength(11);
  });

  it("is one of ten at most, also when fifteen come at once (C28)", async () => {
    const { register, rows } = createTestDevices(database);
    await Promise.all(Array.from({ length: 15 }, () => register(createSubscription().token)));
    expect(await rows()).toHaveLength(10);
  });

  it.each([
    ["says another visitor's id", "foreign", { userId: "grace" }, createSubscription().token],
    ["is for another app", "unusable", { appType: "confer-app" }, createSubscription().token],
    ["is no subscription", "unusable", {}, "{}"],
    [
      "leads to a server of our own network (C22)",
      "unusable",
      {},
      createSubscription("https://10.0.0.1/x").token,
    ],
    [
      "is over 4 KB",
      "unusable",
      {},
      createSubscription(`https://fcm.googleapis.com/${"x".repeat(4096)}`).token,
    ],
  ] as const)("is refused when it %s (C28)", async (_, error, different, token) => {
    const { register, rows } = createTestDevices(database);
    expect(await register(token, "ada", different)).toEqual({ ok: false, error });
    expect(await rows()).toEqual([]);
  });

  it("may have just under 4 KB", async () => {
    const { register } = createTestDevices(database);
    const endpoint = "https://fcm.googleapis.com/";
    const room = 4096 - Buffer.byteLength(createSubscription(endpoint).token);
    expect(await register(createSubscription(endpoint + "x".repeat(room)).token)).toEqual({ ok: true });
    expect(await register(createSubscription(endpoint + "x".repeat(room + 1)).token)).toMatchObject({
      ok: false,
    });
  });

  it("is refused after sixty from one network in ten minutes, and twenty of one visitor in an hour (C28, C36)", async () => {
    const { register, rows, clock } = createTestDevices(database);
    const address = "203.0.113.7";
    for (let each = 0; each < 60; each += 1)
      await register(createSubscription().token, `visitor-${each}`, { address });
    const limited = { ok: false, error: "limited", retryAfterSeconds: minutes(10) / 1000 };
    expect(await register(createSubscription().token, "one-more", { address })).toEqual(limited);
    await register(createSubscription().token, "and-another", { address });
    expect(await rows()).toHaveLength(60);
    clock.forward(minutes(10));
    expect(await register(createSubscription().token, "one-more", { address })).toEqual({ ok: true });

    const { token } = createSubscription();
    for (let each = 0; each < 20; each += 1) await register(token, "eager");
    expect(await register(token, "eager", { address: "198.51.100.7" })).toMatchObject({
      error: "limited",
      retryAfterSeconds: 3600,
    });
    expect(
      await database.read.selectFrom("audit").select(["actor", "action", "network", "outcome"]).execute(),
    ).toEqual([
      { actor: "visitor", action: "throttle-push", network: "203.0.113.0", outcome: "refused" },
      { actor: "visitor", action: "throttle-push", network: "198.51.100.0", outcome: "refused" },
    ]);
  });
});
