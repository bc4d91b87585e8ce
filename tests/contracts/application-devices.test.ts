import { expect, it } from "vitest";
import { appTypes } from "~/content/brand";
import { hours, minutes } from "~/lib/durations";
import { createApplicationDevices, type ApplicationDevice } from "~/services/push/application-devices.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts, KNOWN_PUSH_HOSTS } from "~/services/push/push-hosts";
import { countOwnDevices } from "~/services/broadcast/audience.server";
import { newId } from "~/services/service-deps";
import { operator } from "../factories/outreach";
import { ADA, createTestPeople, KEY } from "../factories/people";
import { createSubscription, createTestDevices, createVapidKeys } from "../factories/push";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const registered = { ok: true, isNew: true };
const refreshed = { ok: true, isNew: false };
const TENANTS = new Set(["acme", "globex"]);

describeOnDatabases("the devices that the application registers on %s", ({ database, place }) => {
  function setUp(options: { maxDevices?: number } = {}) {
    const clock = createTestClock();
    const hosts = createPushHosts(KNOWN_PUSH_HOSTS);
    const sender = new WebPushSender({ ...createVapidKeys(), clock, hosts, contact: "mailto:a@example.com" });
    const deps = { database, sender, clock, newId, appType: appTypes.application, ...options };
    const devices = createApplicationDevices(deps);
    return {
      clock,
      register: (...batch: Partial<ApplicationDevice>[]) =>
        devices.register(
          batch.map((fields) => ({
            user: "user-1",
            tenant: undefined,
            engine: "webpush",
            token: createSubscription().token,
            ...fields,
          })),
          TENANTS,
        ),
      remove: devices.remove,
      listRows: () => database.read.selectFrom("devices").selectAll().orderBy("id").execute(),
      count: (tenant_id: string | null) =>
        countOwnDevices(
          database.read,
          { engine: "webpush", appTypes, isPlatformUsed: false },
          { audience: "application", tenant_id },
        ),
    };
  }

  it("are the audience of application users, and of their company", async () => {
    const { register, listRows, count, clock } = setUp();
    const { token, endpoint } = createSubscription();
    const results = await register(
      { token, tenant: "acme" },
      { user: "user-2", tenant: "globex" },
      { user: "user-3" },
    );
    expect(results).toEqual([registered, registered, registered]);
    expect([await count(null), await count("acme"), await count("globex")]).toEqual([3, 1, 1]);
    expect((await listRows())[0]).toMatchObject({
      token,
      uid: "user-1",
      app_type: appTypes.application,
      tenant_id: "acme",
      kind: "webpush",
      endpoint,
      last_seen_at: clock(),
      first_accepted_at: null,
    });
  });

  it("are refreshed when they come again, with their user and company", async () => {
    const { register, listRows, clock } = setUp();
    const { token } = createSubscription();
    await register({ token, tenant: "acme" });
    const start = clock();
    clock.forward(hours(1));
    expect(await register({ token, user: "user-2" }, {})).toEqual([refreshed, registered]);
    expect((await listRows())[0]).toMatchObject({
      uid: "user-2",
      tenant_id: null,
      first_seen_at: start,
      created_at: clock(),
      last_seen_at: clock(),
    });
  });

  it("are stored once where a batch names them several times, as it says last", async () => {
    const { register, listRows } = setUp();
    const { token } = createSubscription();
    expect(await register({ token }, { token, user: "user-2" })).toEqual([registered, registered]);
    expect(await listRows()).toMatchObject([{ uid: "user-2" }]);
  });

  // C22, R37
  it("are refused one by one, and the others are stored", async () => {
    const { register, listRows } = setUp();
    const refusals = [
      [{ engine: "fcm", token: "x".repeat(64) }, "wrong_engine"],
      [{ tenant: "Acme" }, "unknown_tenant"],
      [{ token: createSubscription("https://evil.example.com/x").token }, "unusable_device"],
      [{ token: createSubscription("http://fcm.googleapis.com/x").token }, "unusable_device"],
      [{ token: createSubscription("https://127.0.0.1/x").token }, "unusable_device"],
      [{ token: createSubscription("https://a:b@fcm.googleapis.com/x").token }, "unusable_device"],
      [
        { token: createSubscription(`https://fcm.googleapis.com/${"x".repeat(4096)}`).token },
        "unusable_device",
      ],
      [{ token: createSubscription("https://fcm.googleapis.com/\0").token }, "unusable_device"],
      [{ token: "{}" }, "unusable_device"],
    ] as const;
    const results = await register(...refusals.map(([device]) => device), {});
    expect(results).toEqual([...refusals.map(([, error]) => ({ ok: false, error })), registered]);
    expect(await listRows()).toHaveLength(1);
    expect(await register({ token: "" })).toEqual([{ ok: false, error: "unusable_device" }]);
  });

  // C28
  it("are ten of a user at most, and push out no visitor's", async () => {
    const { register, listRows, clock } = setUp();
    await createTestDevices(database).register(createSubscription().token, "user-1");
    const first = createSubscription().token;
    await register({ token: first });
    clock.forward(1);
    expect(await register(...Array.from({ length: 10 }, () => ({})))).toEqual(Array(10).fill(registered));
    const rows = await listRows();
    expect(rows.map(({ app_type }) => app_type)).toEqual([
      appTypes.landing,
      ...Array<string>(10).fill(appTypes.application),
    ]);
    expect(rows.map(({ token }) => token)).not.toContain(first);
    clock.forward(1);
    const results = await register(...Array.from({ length: 12 }, () => ({ user: "user-2" })));
    const refused = { ok: false, error: "too_many_devices" };
    expect(results).toEqual([refused, refused, ...Array<unknown>(10).fill(registered)]);
  });

  // R36
  it("are refused at the maximum, which strangers cannot use up, while known ones are refreshed", async () => {
    const { register, remove, clock } = setUp({ maxDevices: 2 });
    const visitors = createTestDevices(database);
    for (const uid of ["a", "b", "c"]) await visitors.register(createSubscription().token, uid);
    const known = createSubscription();
    expect(await register({ token: known.token }, { user: "user-2" })).toEqual([registered, registered]);
    const late = { user: "user-3" };
    expect(await register(late, { token: known.token })).toEqual([
      { ok: false, error: "too_many_devices" },
      refreshed,
    ]);
    expect(await remove([known.endpoint], [])).toBe(1);
    clock.forward(minutes(10));
    expect(await register(late)).toEqual([registered]);
  });

  // C28
  it("are stored once by simultaneous batches in any order", async () => {
    const { register, listRows } = setUp();
    const batch = Array.from({ length: 30 }, (_, index) => ({
      user: `user-${index}`,
      token: createSubscription().token,
    }));
    await Promise.all([register(...batch), register(...batch.toReversed()), register(...batch)]);
    expect(await listRows()).toHaveLength(30);
  });

  it("are removed by their endpoint or their user, and no visitor's are", async () => {
    const { register, remove, listRows } = setUp();
    const visitor = createSubscription();
    await createTestDevices(database).register(visitor.token, "user-1");
    const one = createSubscription();
    await register({ token: one.token, user: "user-2" }, { user: "user-2" }, {}, {}, { user: "user-3" });
    expect(await remove([one.endpoint, visitor.endpoint, "unknown"], ["user-1"])).toBe(3);
    expect((await listRows()).map(({ uid }) => uid)).toEqual(["user-1", "user-2", "user-3"]);
    expect(await remove([], ["user-2"])).toBe(1);
    expect(await remove([], ["user-2"])).toBe(0);
    expect(await remove([], [])).toBe(0);
  });

  it("of a user named by their address go with the erasure of the person, and are exported", async () => {
    const { register, listRows, remove } = setUp();
    const { peopleOn, storeEverything } = createTestPeople(database, place.environment.DATA_DIR);
    const { first } = await storeEverything();
    await register({ user: ADA, tenant: "acme" }, { user: "grace@example.com" });
    expect(await peopleOn().export(first, operator)).toMatchObject({
      devices: [{ uid: KEY, tenant_id: "acme" }],
    });
    await peopleOn().erase(first, operator);
    expect((await listRows()).map(({ uid }) => uid)).toEqual(["grace@example.com"]);
    expect(await remove([], ["Grace@Example.com"])).toBe(1);
  });
});
