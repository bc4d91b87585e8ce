import { appTypes } from "~/content/brand";
import type { BroadcastAudience, DevicesTable } from "~/db/tables/broadcast";
import { hours, minutes } from "~/lib/durations";
import { shortenAddress } from "~/lib/network-address";
import { paths } from "~/paths";
import { createBroadcasts } from "~/services/broadcast/broadcasts.server";
import { createBroadcastWorker } from "~/services/broadcast/broadcast-jobs.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createDevices } from "~/services/push/devices.server";
import type { DeviceAddress, PushOutcome, PushSender } from "~/services/push/push-sender";
import { importTenants } from "~/services/tenants/import-tenants.server";
import { createAddress } from "./people";
import { listVisitTimes, onDay, type PastEvent, type PastTools } from "./past";

const TENANTS = `id,name,domain
t-alder,Alder & Finch,alder.example.com
t-bluewater,Bluewater Clinic,bluewater.example.org
t-cedar,Cedar Lane School,cedarlane.example.org
t-harbour,Harbour Street Books,harbour.example.com
t-iron,Ironbridge Cycles,
t-mill,Mill Road Pottery,millroad.example.net
`;
const ACCEPTED: PushOutcome = { kind: "accepted", status: 201, detail: "" };
const COMPANIES = ["t-alder", "t-bluewater", "t-cedar", null] as const;

/**
 * Seeds companies, devices of visitors and of application users, and broadcasts: sent, paused, cancelled, and
 * drafts.
 */
export function createPushEvents(tools: PastTools, engine: PushSender["name"], count: number): PastEvent[] {
  const { database, clock, newId, random, now, operator } = tools;
  let respond: (device: DeviceAddress) => Promise<PushOutcome> = async () => ACCEPTED;
  // Contacts nobody, and parses its own tokens: a real engine does not allow their host.
  const sender = {
    name: engine,
    readToken: (token: string): DeviceAddress => ({
      token,
      endpoint: engine === "webpush" ? token : "",
      p256dh: "",
      auth: "",
      public_key: "",
    }),
    send: (device: DeviceAddress) => respond(device),
  };
  const pushing = { ...tools, sender, appTypes };
  const wake = () => undefined;
  const broadcasts = createBroadcasts({ ...pushing, engine, perDay: 0, isPlatformUsed: false, wake });
  const worker = createBroadcastWorker({ ...pushing, concurrency: 10, rate: new TokenBucket(0, now) });
  const devices = createDevices({ ...pushing, appType: appTypes.landing, scope: paths.pushScope });

  return [
    { at: onDay(now, 86), do: () => importTenants(tools, Buffer.from(TENANTS)) },
    ...listVisitTimes(random, now, count).map((at, index) => ({
      at,
      isWrite: true,
      do: () => register(index),
    })),
    { at: onDay(now, 60), isWrite: true, do: registerApplicationDevices },
    ...notify("all", onDay(now, 19), "We are live today", "The first teams are in. See what is new."),
    ...notify("landing", onDay(now, 7), "A first look", "The preview is open for everybody on the list."),
    ...notify("application", onDay(now, 1), "A short pause tonight", "Between 22:00 and 22:10 UTC.", "pause"),
    ...notify("all", now - hours(9), "Join us on Thursday", "A walk through everything new.", "cancel"),
    { at: now - minutes(50), do: () => draft("landing", "One more thing", "") },
  ];

  async function register(index: number): Promise<void> {
    const uid = newId();
    const address = createAddress(random);
    const token = `https://push.example.com/device-${index}`;
    const visitor = { uid, address, network: shortenAddress(address), requestId: newId() };
    await devices.register({ token, userId: uid, appType: appTypes.landing }, visitor);
  }

  /** Inserts the rows: the application registers its own devices, no page of ours does. */
  async function registerApplicationDevices(): Promise<void> {
    const at = clock();
    const rows = Array.from({ length: 24 }, (_, index): DevicesTable => {
      const token = `https://push.example.com/application-${index}`;
      return {
        id: newId(),
        token_hash: `seed-${index}`,
        ...sender.readToken(token),
        uid: `user-${index}`,
        app_type: appTypes.application,
        tenant_id: COMPANIES[index % COMPANIES.length] ?? null,
        kind: engine,
        scope: "",
        created_at: at,
        first_seen_at: at,
        last_seen_at: at,
        first_accepted_at: null,
      };
    });
    await database.write((trx) => trx.insertInto("devices").values(rows).execute());
  }

  function notify(
    audience: BroadcastAudience,
    at: number,
    title: string,
    body: string,
    action?: "pause" | "cancel",
  ): PastEvent[] {
    let id = "";
    const send = async () => {
      id = await draft(audience, title, body);
      const outcome = await broadcasts.confirm({ id, reviewed: undefined }, operator());
      if (!outcome.ok) throw new Error(`A notification could not be confirmed: ${outcome.error}`);
    };
    const tick = async () => {
      let sent = 0;
      respond = async (device) => {
        if (action === undefined) return respondMixed(device);
        sent += 1;
        if (sent === 10) await broadcasts[action](id, operator());
        return ACCEPTED;
      };
      await worker.tick();
    };
    const delays = [1, minutes(30), hours(2), hours(6)];
    return [{ at, do: send }, ...delays.map((delay) => ({ at: at + delay, do: tick }))];
  }

  async function draft(audience: BroadcastAudience, title: string, body: string): Promise<string> {
    const id = broadcasts.newBroadcastId();
    await broadcasts.saveDraft(id, { audience, tenant: undefined, title, body, link: "" }, operator().by);
    return id;
  }
}

/** Accepts most messages; some devices are gone, a few are rejected. */
function respondMixed({ token }: DeviceAddress): PushOutcome {
  const number = Number(/\d+$/.exec(token)?.[0] ?? 0);
  if (number % 17 === 5) return { kind: "gone", status: 410, detail: "The subscription is over." };
  if (number % 29 === 11) return { kind: "refused", status: 400, detail: "The message was not taken." };
  return ACCEPTED;
}
