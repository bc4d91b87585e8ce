import { expect } from "vitest";
import { appTypes } from "~/content/brand";
import type { Database } from "~/db/database.server";
import type { BroadcastAudience, DevicesTable } from "~/db/tables/broadcast";
import {
  createBroadcasts,
  getContentHash,
  type ReviewedBroadcast,
} from "~/services/broadcast/broadcasts.server";
import { createBroadcastWorker, type BroadcastSending } from "~/services/broadcast/broadcast-jobs.server";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { newId } from "~/services/service-deps";
import { removeAfterTest } from "../fixture";
import { startPushService, type PushAnswer } from "../fakes/push-service";
import { ScriptedPushSender, type PushScript } from "../fakes/scripted-push-sender";
import { operator } from "./outreach";
import { addDevices, createSubscription, createWebPushSender } from "./push";
import { createQueueOptions } from "./queue-options";
import { createTestClock } from "./time";

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
    appTypes,
    wake: () => wake(),
    perDay,
    isPlatformUsed,
  });
  return {
    clock,
    sender,
    broadcasts,
    createWorker,
    createDraft,
    review,
    confirm,
    send,
    confirmAndSend,
    listRows,
    getStats,
    listEndpoints,
    listAuditEntries,
    find,
  };

  function createWorker(differing: Partial<BroadcastSending & WorkerOptions> = {}) {
    const worker = createBroadcastWorker({
      ...createQueueOptions(database, clock),
      sender,
      random: () => 0,
      appTypes,
      ...differing,
    });
    wake = worker.wake;
    return worker;
  }

  async function createDraft(audience: BroadcastAudience = "all", tenantId?: string): Promise<string> {
    const id = newId();
    const tenant = tenantId === undefined ? undefined : { id: tenantId, name: `Name of ${tenantId}` };
    const content = { title: "We are live", body: "Come and see.", link: "" };
    expect(await broadcasts.saveDraft(id, { audience, tenant, ...content }, operator.by)).toBe(true);
    return id;
  }

  /** Returns what the confirmation step of a draft shows now. */
  async function review(id: string): Promise<ReviewedBroadcast> {
    const draft = await find(id);
    const devices = await broadcasts.countDevices(draft.audience, draft.tenant_id);
    return { contentHash: getContentHash(draft), devices };
  }

  /** Creates a broadcast and confirms it as it is shown. */
  async function confirm(audience: BroadcastAudience = "all", tenantId?: string): Promise<string> {
    const id = await createDraft(audience, tenantId);
    const reviewed = await review(id);
    expect(await broadcasts.confirm({ id, reviewed }, operator)).toEqual({ ok: true, already: false });
    return id;
  }

  /** Sends until nothing more is due. */
  function send(differing: Parameters<typeof createWorker>[0] = {}): Promise<void> {
    return createWorker(differing).tick();
  }

  /** Creates and confirms a broadcast to all devices, and sends what is due of it. */
  async function confirmAndSend(differing: Parameters<typeof createWorker>[0] = {}): Promise<string> {
    const id = await confirm();
    await send(differing);
    return id;
  }

  function listRows(id: string) {
    const rows = database.read.selectFrom("pushes").selectAll().where("broadcast_id", "=", id);
    return rows.orderBy("id").execute();
  }

  async function find(id: string) {
    const found = await broadcasts.find(id);
    if (!found) throw new Error("No such broadcast");
    return found;
  }

  /** Returns the broadcast's state and stats; fails the test unless they add up and agree with the rows. */
  async function getStats(id: string) {
    const stats = await broadcasts.getStats(id);
    const rows = await listRows(id);
    expect(stats.devices).toBe(rows.length);
    expect(stats.devices).toBe(stats.sent + stats.failed + stats.gone + stats.skipped + stats.waiting);
    expect(new Set(rows.map((row) => row.device_id)).size).toBe(rows.length);
    expect(rows.filter((row) => (row.lease_owner !== "") !== (row.state === "claimed"))).toEqual([]);
    const { state } = await find(id);
    return { state, ...stats };
  }

  /** Lists the endpoints of the registered devices. */
  async function listEndpoints(): Promise<string[]> {
    const devices = await database.read.selectFrom("devices").select("endpoint").orderBy("id").execute();
    return devices.map(({ endpoint }) => endpoint);
  }

  /** Lists the audit entries of a broadcast as "actor action", oldest first. */
  async function listAuditEntries(id: string): Promise<string[]> {
    const entries = database.read.selectFrom("audit").select(["actor", "action"]).where("subject", "=", id);
    return (await entries.orderBy("id").execute()).map(({ actor, action }) => `${actor} ${action}`);
  }
}

/**
 * Creates broadcasts sent by the real engine to a push service that responds as `answer` decides, for the time of
 * the test.
 */
export async function createBroadcastsWithService(
  database: Database,
  answer: (path: string) => PushAnswer,
  { timeoutMs, ...options }: Partial<BroadcastSending> & { timeoutMs?: number } = {},
) {
  const service = removeAfterTest(await startPushService(answer));
  const fixture = createTestBroadcasts(database);
  const { sender } = createWebPushSender(service, { clock: fixture.clock, timeoutMs });
  removeAfterTest(sender);
  // All devices share one browser's keys, which is quicker.
  const address = sender.readToken(createSubscription(service.endpoint("any")).token);

  return {
    ...fixture,
    service,
    /** Registers a device for each path, in the given order. */
    register: (paths: readonly string[], differing: Partial<DevicesTable> = {}) =>
      addDevices(database, paths, (path) => ({ ...address, endpoint: service.endpoint(path), ...differing })),
    send: () => fixture.send({ sender, ...options }),
  };
}
