import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../databases";
import { MIRROR_REMOTES } from "../factories/mirror-remotes";
import { createPushNetwork, storeDevices } from "../factories/push-network";
import { startPushService } from "../fakes/push-service";
import { startSmtpServer } from "../fakes/smtp-server";
import { useFixture } from "../fixture";
import { formPost, logIn, startServer, SUPERADMIN, type ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, SIGNED_UP, signUp, someone, stampOfAPerson } from "../server/visitors";
import {
  checkIntegrity,
  countAuditEntries,
  countClaims,
  getBroadcastLedger,
  getDeliveryLedger,
  groupMessageIds,
  listFaults,
  tally,
  withDatabase,
} from "./ledger";
import { notifyAll, sendToEverybody } from "./operator";
import { addSubscribers } from "./subscribers";
import { until } from "./until";

const RECIPIENTS = 10_000;
const DEVICES = 5000;
const CONCURRENCY = 5;
/** Delay of the mail server's responses, so that something is in flight at every moment. */
const SLOW_MS = 100;
const TAKE_OVER_MS = 45_000;
const MAX_MS = 600_000;

// R22
describe("three instances of the product on one PostgreSQL", () => {
  const database = useFixture(() => testDatabase("postgres"));
  const mailServer = useFixture(() => startSmtpServer({ record: false, answer: () => ({ slow: SLOW_MS }) }));
  const pushService = useFixture(() => startPushService());
  const network = useFixture(async () => createPushNetwork(pushService));
  const sheet = useFixture(MIRROR_REMOTES["google-sheets"]);
  let addresses: string[];
  let instances: ServerProcess[];

  beforeAll(async () => {
    const { endpoint } = pushService;
    const { publicKey } = network;
    addresses = await withDatabase(database, async (opened) => {
      await storeDevices(opened, DEVICES, { endpoint, publicKey });
      return addSubscribers(opened, RECIPIENTS);
    });
    const { DATA_DIR: folder, DATABASE_URL = "" } = database.environment;
    const environment = {
      // Each instance has its own folder, as on separate machines.
      ...BEHIND_A_PROXY,
      DATABASE_URL,
      ...network.environment,
      ...sheet.environment,
      ...mailServer.environment,
      SUBMISSION_MIRROR: "google-sheets",
      MAIL_CONCURRENCY: String(CONCURRENCY),
      PUSH_CONCURRENCY: String(CONCURRENCY),
      NODE_EXTRA_CA_CERTS: join(folder, "both.pem"),
    };
    const trusted = [network, sheet].map((other) =>
      readFileSync(other.environment.NODE_EXTRA_CA_CERTS!, "utf8"),
    );
    writeFileSync(environment.NODE_EXTRA_CA_CERTS, trusted.join("\n"));
    // All at once, as after a power cut.
    instances = await Promise.all([1, 2, 3].map(() => startServer(environment)));
  });
  afterAll(async () => void (await Promise.all(instances.map((instance) => instance.remove()))));

  // C3, C6
  it("share sessions and count login attempts together", async () => {
    const [one, two, three] = instances as [ServerProcess, ServerProcess, ServerProcess];
    const headers = { Cookie: await logIn(one, undefined, someone()) };
    const opens = async (server: ServerProcess) =>
      (await server.fetch("/admin/dashboard", { headers })).status;
    expect(await Promise.all([one, two, three].map(opens))).toEqual([200, 200, 200]);
    expect((await three.fetch("/logout", formPost({}, headers))).status).toBe(303);
    expect(await Promise.all([one, two, three].map(opens))).toEqual([303, 303, 303]);

    const guesser = someone();
    const wrong = { email: SUPERADMIN.email, password: "guessed" };
    const statuses = [];
    for (const server of [one, two, three, one, two, three, one]) {
      statuses.push((await server.fetch("/login", formPost(wrong, guesser))).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });

  it("do everything once while each is killed in turn, and take over within 45 s", async () => {
    const [one] = instances as [ServerProcess];
    const cookie = await logIn(one, undefined, someone());
    const stamp = await stampOfAPerson(one);
    // Thousands of rows at once reach Google's limit of reads, which delays the mirror for a minute.
    await until("the first copy", () => listMirroredEmails().length >= RECIPIENTS, { withinMs: MAX_MS });
    const campaignId = await sendToEverybody(one, cookie);
    const broadcastId = await notifyAll(one, cookie, DEVICES);
    const late: string[] = [];

    for (const [index, victim] of instances.entries()) {
      const enough = (RECIPIENTS / 4) * (index + 1);
      await until(`email ${enough}`, () => mailServer.count() >= enough, { withinMs: MAX_MS });
      const signUpAt = async (email: string, to: ServerProcess) => {
        late.push(email);
        const response = await signUp(to, { stamp, email }, someone());
        expect(response.headers.get("Location")).toBe(SIGNED_UP);
      };
      await signUpAt(`before-${index}@example.com`, victim);
      await victim.kill();
      await signUpAt(`after-${index}@example.com`, instances[(index + 1) % instances.length]!);
      await awaitTakeOver(victim, late.slice(-2));
      await victim.restart();
    }
    const isOver = async () =>
      (await getDeliveryLedger(database, campaignId)).state === "finished" &&
      (await getBroadcastLedger(database, broadcastId)).state === "finished" &&
      listMirroredEmails().length >= RECIPIENTS + late.length;
    await until("the end", isOver, { withinMs: MAX_MS, everyMs: 500 });

    // Emails: nobody is left out; only those in flight may arrive twice, with the same Message-ID.
    const ids = groupMessageIds(mailServer.deliveries);
    expect([...ids.keys()].toSorted()).toEqual(addresses.toSorted());
    expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(mailServer.count() - RECIPIENTS).toBeLessThanOrEqual(CONCURRENCY * instances.length);
    // An email in flight at two kills is not sent a third time: an operator decides.
    const { sent = 0, uncertain = 0 } = tally((await getDeliveryLedger(database, campaignId)).rows);
    expect(sent + uncertain).toBe(RECIPIENTS);
    expect(uncertain).toBeLessThanOrEqual(CONCURRENCY);

    const paths = pushService.received.map(({ path }) => path);
    expect(new Set(paths).size).toBe(DEVICES);
    expect(paths.length - DEVICES).toBeLessThanOrEqual(CONCURRENCY * instances.length);
    expect(await getBroadcastLedger(database, broadcastId)).toEqual({
      state: "finished",
      states: { accepted: DEVICES },
    });
    expect(await countAuditEntries(database, "confirm-broadcast")).toBe(1);

    // The mirror: each row once, in its own place.
    expect(listMirroredEmails().toSorted()).toEqual([...addresses, ...late].toSorted());

    const isExpected = (line: string) =>
      line.includes("the mirror cannot be read or written") && /Quota/.test(line);
    const faults = instances.flatMap((instance) => listFaults(instance.output()));
    expect(faults.filter((line) => !isExpected(line))).toEqual([]);
    expect(await Promise.all(instances.map((instance) => instance.stop()))).toEqual([0, 0, 0]);
    await expectOneSampleAtATime();
    expect(await checkIntegrity(database)).toBe("ok");
  });

  const listMirroredEmails = () => sheet.rows().map((row) => row[1] ?? "");

  /** Waits until the killed instance holds no leases and the signups around its end are mirrored. */
  async function awaitTakeOver(victim: ServerProcess, emails: readonly string[]): Promise<void> {
    const killed = performance.now();
    expect(await countClaims(database, victim, "deliveries")).toBeGreaterThan(0);
    const isTakenOver = async () =>
      (await countClaims(database, victim, "deliveries")) +
        (await countClaims(database, victim, "pushes")) ===
        0 && emails.every((email) => listMirroredEmails().includes(email));
    await until("the others", isTakenOver, { withinMs: TAKE_OVER_MS, everyMs: 250 });
    console.info(`taken over after ${Math.round(performance.now() - killed)} ms`);
  }

  /**
   * Expects each instance to have one row a minute, with a sample every ten seconds and two after each of its
   * two starts.
   */
  async function expectOneSampleAtATime(): Promise<void> {
    const rows = await withDatabase(database, ({ read }) =>
      read
        .selectFrom("resource_samples")
        .select(["instance", "at", "samples"])
        .where("step", "=", 60_000)
        .execute(),
    );
    const ports = new Set(rows.map(({ instance }) => Number(instance.split(":").at(-1))));
    expect(ports).toEqual(new Set(instances.map(({ port }) => port)));
    expect(new Set(rows.map(({ instance, at }) => `${instance} ${at}`)).size).toBe(rows.length);
    for (const { samples } of rows) expect(samples).toBeLessThanOrEqual(6 + 1 + 2);
  }
});
