import { expect } from "vitest";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import type { BroadcastAudience } from "~/db/tables/broadcast";
import type { DevicesTable } from "~/db/tables/push";
import { createBroadcasts } from "~/services/broadcast/broadcasts.server";
import { createBroadcastWorker } from "~/services/broadcast/broadcast-jobs.server";
import type { BroadcastSending } from "~/services/broadcast/broadcast-jobs.server";
import { newId } from "~/services/ids.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { ScriptedPushSender } from "../fakes/scripted-push-sender";
import type { PushScript } from "../fakes/scripted-push-sender";
import { operator } from "./outreach";
import { createLeaseTime, createTestClock } from "./time";

export const getEndpoint = (name: string) => `https://push.example.com/${name}`;
export const names = (count: number) => Array.from({ length: count }, (_, index) => `device-${index + 1}`);

/** Devices that accepted a push message long ago: their failures count against this server (hardening C39). */
export const LONG_KNOWN: Partial<DevicesTable> = { first_accepted_at: 1 };

/** Stores devices in the given order, as registering does but without keys that messages could be encrypted for. */
export async function addDevices(
  database: Database,
  given: readonly string[],
  differing: Partial<DevicesTable> | ((name: string) => Partial<DevicesTable>) = {},
): Promise<void> {
  const rows = given.map((name): DevicesTable => ({
    id: newId(),
    token_hash: `hash of ${name}`,
    token: `token of ${name}`,
    uid: `visitor of ${name}`,
    app_type: brand.appTypes.landing,
    tenant_id: null,
    kind: "webpush",
    scope: "/push",
    endpoint: getEndpoint(name),
    p256dh: "",
    auth: "",
    public_key: "",
    created_at: 1,
    first_seen_at: 1,
    last_seen_at: 1,
    first_accepted_at: null,
    ...(typeof differing === "function" ? differing(name) : differing),
  }));
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500);
    await database.write((trx) => trx.insertInto("devices").values(some).execute());
  }
}

/** Creates broadcasts on a database, with a push sender that answers by `script` and a clock the test moves. */
export function createTestBroadcasts(
  database: Database,
  script?: PushScript,
  { perDay = 0, isPlatformUsed = false } = {},
) {
  const clock = createTestClock();
  const sender = new ScriptedPushSender(script);
  let wake: () => void = () => undefined;
  const broadcasts = createBroadcasts({
    database,
    clock,
    newId,
    engine: "webpush",
    appTypes: brand.appTypes,
    wake: () => wake(),
    perDay,
    isPlatformUsed,
  });
  return { clock, sender, broadcasts, dispatcher, draft, confirmed, rows, getStats, devices, find };

  function dispatcher(differing: Partial<BroadcastSending & WorkerOptions> = {}) {
    const made = createBroadcastWorker({
      database,
      sender,
      clock,
      newId,
      random: () => 0,
      instance: "one",
      concurrency: 10,
      leaseTime: createLeaseTime(clock),
      rate: new TokenBucket(0, clock()),
      appTypes: brand.appTypes,
      log: { info: () => undefined, error: () => undefined },
      ...differing,
    });
    wake = made.wake;
    return made;
  }

  async function draft(audience: BroadcastAudience = "all", tenantId?: string): Promise<string> {
    const id = newId();
    const tenant = tenantId === undefined ? undefined : { id: tenantId, name: `Name of ${tenantId}` };
    const content = { title: "We are live", body: "Come and see.", link: "" };
    expect(await broadcasts.saveDraft(id, { audience, tenant, ...content }, operator.by)).toBe(true);
    return id;
  }

  /** Creates a broadcast and confirms it with the number of devices it was shown with. */
  async function confirmed(audience: BroadcastAudience = "all", tenantId?: string): Promise<string> {
    const id = await draft(audience, tenantId);
    const expectedDevices = await broadcasts.countDevices(audience, tenantId);
    expect(await broadcasts.confirm({ id, expectedDevices }, operator)).toEqual({ ok: true, already: false });
    return id;
  }

  function rows(id: string) {
    return database.read
      .selectFrom("pushes")
      .selectAll()
      .where("broadcast_id", "=", id)
      .orderBy("id")
      .execute();
  }

  async function find(id: string) {
    const found = await broadcasts.find(id);
    if (!found) throw new Error("No such broadcast");
    return found;
  }

  /** Returns the broadcast's stats; fails the test unless they add up and agree with the rows. */
  async function getStats(id: string) {
    const stats = await broadcasts.getStats(id);
    const all = await rows(id);
    expect(stats.devices).toBe(all.length);
    expect(stats.devices).toBe(stats.sent + stats.failed + stats.gone + stats.skipped + stats.waiting);
    expect(new Set(all.map((row) => row.device_id)).size).toBe(all.length);
    expect(all.filter((row) => (row.lease_owner !== "") !== (row.state === "claimed"))).toEqual([]);
    const { state } = await find(id);
    return { state, ...stats };
  }

  /** The endpoints that are still registered. */
  async function devices(): Promise<string[]> {
    const found = await database.read.selectFrom("devices").select("endpoint").orderBy("id").execute();
    return found.map(({ endpoint }) => endpoint);
  }
}

/** Lists the audit entries of a broadcast as "actor action", oldest first. */
export async function listAuditEntries(database: Database, id: string): Promise<string[]> {
  const rows = database.read.selectFrom("audit").select(["actor", "action"]).where("subject", "=", id);
  return (await rows.orderBy("id").execute()).map(({ actor, action }) => `${actor} ${action}`);
}
