import { expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { createTestDevices, createSubscription, names } from "../factories/push";
import { describeOnDatabases } from "./use-database";

const unusable = { ok: false, error: "unusable" };

describeOnDatabases("a visitor's device on %s", ({ database }) => {
  it("is stored with every field of the registration record", async () => {
    const { register, listRows, clock, keys } = createTestDevices(database);
    const { token, endpoint } = createSubscription();
    expect(await register(token)).toEqual({ ok: true });
    expect(await listRows()).toMatchObject([
      {
        token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        token,
        uid: "ada",
        app_type: "confer-landing",
        tenant_id: null,
        kind: "webpush",
        endpoint,
        ...JSON.parse(token).keys,
        scope: "/push",
        public_key: keys.publicKey,
        created_at: clock(),
        first_seen_at: clock(),
        last_seen_at: clock(),
        first_accepted_at: null,
      },
    ]);
  });

  // C28
  it("is one row after repeated and simultaneous registrations, with the newest keys", async () => {
    const { register, listRows, clock } = createTestDevices(database);
    const { token, endpoint } = createSubscription();
    const start = clock();
    await Promise.all(Array.from({ length: 20 }, () => register(token)));
    clock.forward(days(7));
    const renewed = createSubscription(endpoint);
    await register(renewed.token);
    expect(await listRows()).toMatchObject([
      { token: renewed.token, created_at: start, first_seen_at: start, last_seen_at: clock() },
    ]);
  });

  // C39
  it("keeps its first accepted message until it registers with another key of ours", async () => {
    const { register, listRows, clock } = createTestDevices(database);
    const { token } = createSubscription();
    await register(token);
    await database.write((trx) => trx.updateTable("devices").set({ first_accepted_at: 7 }).execute());
    clock.forward(days(1));
    await register(token);
    expect(await listRows()).toMatchObject([{ first_accepted_at: 7, last_seen_at: clock() }]);
    await database.write((trx) => trx.updateTable("devices").set({ public_key: "our last one" }).execute());
    await register(token);
    expect(await listRows()).toMatchObject([{ first_accepted_at: null }]);
  });

  const codes = [
    0x00, 0x01, 0x09, 0x0a, 0x20, 0x7f, 0x85, 0xa0, 0xe9, 0x2028, 0xfffe, 0xffff, 0xd800, 0xdfff,
  ];
  // R37
  it.each(
    codes.map((code) => [`U+${code.toString(16).padStart(4, "0")}`, String.fromCharCode(code)] as const),
  )("with %s in its endpoint, keys, app or user is refused", async (_, character) => {
    const { register, listRows } = createTestDevices(database);
    const { token, endpoint } = createSubscription();
    const { keys } = JSON.parse(token) as { keys: { p256dh: string; auth: string } };
    for (const subscription of [
      { endpoint: endpoint + character, keys },
      { endpoint: character + endpoint, keys },
      { endpoint: endpoint.replace("send", `se${character}nd`), keys },
      { endpoint, keys: { ...keys, auth: keys.auth + character } },
      { endpoint, keys: { ...keys, p256dh: character + keys.p256dh } },
    ]) {
      const outcome = await register(JSON.stringify(subscription));
      expect([subscription, outcome]).toEqual([subscription, unusable]);
    }
    expect(await register(token, "ada", { appType: `confer-landing${character}` })).toEqual(unusable);
    expect(await register(token, "ada", { userId: `ada${character}` })).toMatchObject({ error: "foreign" });
    expect(await listRows()).toEqual([]);
  });

  // R37
  it("may contain further fields, with any characters", async () => {
    const { register, listRows } = createTestDevices(database);
    const token = JSON.stringify({
      ...(JSON.parse(createSubscription().token) as object),
      more: "\0 \ud800 \uffff",
    });
    expect(await register(token)).toEqual({ ok: true });
    expect(await listRows()).toMatchObject([{ token }]);
  });

  // C28
  it("passes to another visitor of the same browser", async () => {
    const { register, listRows, clock } = createTestDevices(database);
    const { token } = createSubscription();
    const start = clock();
    await register(token, "ada");
    clock.forward(hours(1));
    await register(token, "grace");
    expect(await listRows()).toMatchObject([{ uid: "grace", created_at: clock(), first_seen_at: start }]);
  });

  // R36
  it("is refused at the maximum of devices, while known ones are renewed", async () => {
    const { register, listRows, clock } = createTestDevices(database, { maxDevices: 3 });
    const known = createSubscription().token;
    const tokens = [known, createSubscription().token, createSubscription().token];
    for (const token of tokens) await register(token, token);
    const late = createSubscription().token;
    // Devices are counted every ten minutes.
    clock.forward(minutes(10));
    expect(await register(late, "late")).toEqual({ ok: false, error: "limited", retryAfterSeconds: 600 });
    expect(await register(known, known)).toEqual({ ok: true });
    expect((await listRows()).map(({ token }) => token).sort()).toEqual(tokens.sort());
    await database.write((trx) => trx.deleteFrom("devices").where("uid", "=", known).execute());
    clock.forward(minutes(10));
    expect(await register(late, "late")).toEqual({ ok: true });
  });

  // C28
  it("is evicted only for the same visitor's eleventh", async () => {
    const { register, listRows, clock } = createTestDevices(database);
    await register(createSubscription().token, "grace");
    const own = Array.from({ length: 11 }, () => createSubscription());
    for (const { token } of own.slice(0, 10)) {
      await register(token);
      clock.forward(1);
    }
    await register(own[0]!.token);
    clock.forward(1);
    await register(own[10]!.token);
    const rows = await listRows();
    expect(rows).toHaveLength(11);
    const kept = rows.filter(({ uid }) => uid === "ada").map(({ endpoint }) => endpoint);
    expect(kept.sort()).toEqual(
      own
        .toSpliced(1, 1)
        .map(({ endpoint }) => endpoint)
        .sort(),
    );
  });

  // C28
  it("is one of at most ten after fifteen simultaneous registrations", async () => {
    const { register, listRows } = createTestDevices(database);
    await Promise.all(Array.from({ length: 15 }, () => register(createSubscription().token)));
    expect(await listRows()).toHaveLength(10);
  });

  // C28
  it("has a token of at most 4 KB", async () => {
    const { register, listRows } = createTestDevices(database);
    const endpoint = "https://fcm.googleapis.com/";
    const room = 4096 - Buffer.byteLength(createSubscription(endpoint).token);
    expect(await register(createSubscription(endpoint + "x".repeat(room + 1)).token)).toEqual(unusable);
    expect(await listRows()).toEqual([]);
    expect(await register(createSubscription(endpoint + "x".repeat(room)).token)).toEqual({ ok: true });
  });

  // C28, C36
  it("is refused after sixty a network or twenty a visitor", async () => {
    const { register, listRows, clock } = createTestDevices(database);
    const address = "203.0.113.7";
    for (const uid of names(60)) await register(createSubscription().token, uid, { address });
    const limited = { ok: false, error: "limited", retryAfterSeconds: minutes(10) / 1000 };
    expect(await register(createSubscription().token, "one-more", { address })).toEqual(limited);
    await register(createSubscription().token, "and-another", { address });
    expect(await listRows()).toHaveLength(60);
    clock.forward(minutes(10));
    expect(await register(createSubscription().token, "one-more", { address })).toEqual({ ok: true });

    const { token } = createSubscription();
    for (let each = 0; each < 20; each += 1) await register(token, "eager");
    expect(await register(token, "eager", { address: "198.51.100.7" })).toMatchObject({
      error: "limited",
      retryAfterSeconds: 3600,
    });
    const throttled = { actor: "visitor", action: "throttle-push", outcome: "refused" };
    expect(await database.read.selectFrom("audit").selectAll().execute()).toMatchObject([
      { ...throttled, network: "203.0.113.0" },
      { ...throttled, network: "198.51.100.0" },
    ]);
  });
});
