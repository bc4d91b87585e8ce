import { beforeEach, describe, expect, it } from "vitest";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { startSmtpServer, type RunningSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import {
  checkIntegrity,
  countClaims,
  getDeliveryLedger,
  groupMessageIds,
  listFaults,
  tally,
  withDatabase,
} from "./ledger";
import { readStatsOnPage, sendToEverybody } from "./operator";
import { addSubscribers } from "./subscribers";
import { until } from "./until";

const RECIPIENTS = 10_000;
const CONCURRENCY = 5;
const TAKE_OVER_MS = 45_000;

// R22
describe.each(dialects)("two instances of the product on one database, on %s", (dialect) => {
  let database: TestDatabase;
  let addresses: string[];
  /** One for each instance, which shows what each one sent. */
  let mailServers: RunningSmtpServer[];
  let instances: ServerProcess[];

  beforeEach(async () => {
    database = removeAfterTest(await testDatabase(dialect));
    addresses = await withDatabase(database, (opened) => addSubscribers(opened, RECIPIENTS));
    mailServers = [];
    instances = [];
    for (let count = 0; count < 2; count += 1) {
      const mailServer = removeAfterTest(await startSmtpServer({ record: false }));
      const mailSettings = { ...mailServer.environment, MAIL_CONCURRENCY: String(CONCURRENCY) };
      mailServers.push(mailServer);
      instances.push(removeAfterTest(await startServer({ ...database.environment, ...mailSettings })));
    }
  });
  const counts = () => mailServers.map((mailServer) => mailServer.count());
  const deliveries = () => mailServers.flatMap((mailServer) => mailServer.deliveries);
  const awaitFinished = (campaignId: string) =>
    until("the end", async () => (await getDeliveryLedger(database, campaignId)).state === "finished", {
      withinMs: 300_000,
      everyMs: 500,
    });

  it("send each of 10,000 emails once", async () => {
    const [one] = instances as [ServerProcess];
    const cookie = await logIn(one);
    const campaignId = await sendToEverybody(one, cookie);
    await awaitFinished(campaignId);
    expect(
      deliveries()
        .map(({ address }) => address)
        .toSorted(),
    ).toEqual(addresses.toSorted());
    for (const count of counts()) expect(count).toBeGreaterThan(RECIPIENTS / 20);
    expect(await readStatsOnPage(one, cookie, campaignId)).toMatchObject({
      selected: RECIPIENTS,
      sent: RECIPIENTS,
    });
    for (const instance of instances) expect(listFaults(instance.output())).toEqual([]);
  });

  it("take over: when one is killed, the other sends its emails within 45 seconds", async () => {
    const [victim, survivor] = instances as [ServerProcess, ServerProcess];
    const campaignId = await sendToEverybody(victim, await logIn(victim));
    await until("emails by the victim", () => (mailServers[0]?.count() ?? 0) >= 1000);
    await victim.kill();
    const killed = performance.now();
    const countVictimClaims = () => countClaims(database, victim, "deliveries");
    expect(await countVictimClaims()).toBeGreaterThan(0);
    await until("the end of the victim's claims", async () => (await countVictimClaims()) === 0, {
      withinMs: TAKE_OVER_MS,
      everyMs: 200,
    });
    expect(performance.now() - killed).toBeLessThan(TAKE_OVER_MS);
    await awaitFinished(campaignId);

    const messageIds = groupMessageIds(deliveries());
    expect(new Set(messageIds.keys())).toEqual(new Set(addresses));
    expect([...messageIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    expect(deliveries().length - RECIPIENTS).toBeLessThanOrEqual(CONCURRENCY);
    expect(tally((await getDeliveryLedger(database, campaignId)).rows)).toEqual({ sent: RECIPIENTS });
    expect(await readStatsOnPage(survivor, await logIn(survivor), campaignId)).toMatchObject({
      sent: RECIPIENTS,
      waiting: 0,
    });
    expect(listFaults(survivor.output())).toEqual([]);
    expect(await checkIntegrity(database)).toBe("ok");
  });
});
