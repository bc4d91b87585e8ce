import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dialects, testDatabase } from "../databases";
import type { TestDatabase } from "../databases";
import { startSmtpServer } from "../fakes/smtp-server";
import type { RunningSmtpServer } from "../fakes/smtp-server";
import { logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { listFaults, checkIntegrity, getDeliveryLedger, withDatabase, tally } from "./ledger";
import { readStatsOnPage, sendToEverybody } from "./operator";
import { addSubscribers } from "./subscribers";
import { until } from "./until";

const RECIPIENTS = 10_000;
const CONCURRENCY = 5;
const TAKES_OVER_WITHIN_MS = 45_000;

describe.each(dialects)("two instances of the product on one database, on %s (R22)", (dialect) => {
  let database: TestDatabase;
  let addresses: string[];
  /** One for each instance, which shows what each one sent. */
  let mailServers: RunningSmtpServer[];
  let instances: ServerProcess[];

  beforeEach(async () => {
    database = await testDatabase(dialect);
    addresses = await withDatabase(database, (opened) => addSubscribers(opened, RECIPIENTS));
    mailServers = [await startSmtpServer({ record: false }), await startSmtpServer({ record: false })];
    instances = [];
    for (const { url } of mailServers) {
      const mail = { MAIL_DRIVER: "smtp", SMTP_URL: url, MAIL_CONCURRENCY: String(CONCURRENCY) };
      instances.push(await startServer({ ...database.environment, ...mail }));
    }
  });
  afterEach(async () => {
    for (const instance of instances) await instance.remove();
    for (const mailServer of mailServers) await mailServer.close();
    await database.remove();
  });

  const counts = () => mailServers.map((mailServer) => mailServer.count());
  const deliveries = () => mailServers.flatMap((mailServer) => mailServer.deliveries);
  const finished = (campaignId: string) =>
    until("the end", async () => (await getDeliveryLedger(database, campaignId)).state === "finished", {
      withinMs: 300_000,
      everyMs: 500,
    });

  it("send each of 10,000 mails once", async () => {
    const [one] = instances as [ServerProcess];
    const cookie = await logIn(one);
    const campaignId = await sendToEverybody(one, cookie);
    await finished(campaignId);
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

  it("take over from each other: one is killed, the other sends its mails within 45 seconds", async () => {
    const [victim, heir] = instances as [ServerProcess, ServerProcess];
    const campaignId = await sendToEverybody(victim, await logIn(victim));
    await until("mails by the victim", () => (mailServers[0]?.count() ?? 0) >= 1000);
    await victim.kill();
    const killed = performance.now();
    const left = (await getDeliveryLedger(database, campaignId)).rows.filter(
      ({ state }) => state === "claimed",
    ).length;
    expect(left).toBeGreaterThan(0);
    await until("a ledger without the victim's rows", async () => (await ownedBy(victim)) === 0, {
      withinMs: TAKES_OVER_WITHIN_MS,
      everyMs: 200,
    });
    expect(performance.now() - killed).toBeLessThan(TAKES_OVER_WITHIN_MS);
    await finished(campaignId);

    const messageIds = new Map<string, Set<string>>();
    for (const { address, messageId } of deliveries()) {
      messageIds.set(address, (messageIds.get(address) ?? new Set()).add(messageId));
    }
    expect(new Set(messageIds.keys())).toEqual(new Set(addresses));
    expect([...messageIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    expect(deliveries().length - RECIPIENTS).toBeLessThanOrEqual(CONCURRENCY);
    expect(tally((await getDeliveryLedger(database, campaignId)).rows)).toEqual({ sent: RECIPIENTS });
    expect(await readStatsOnPage(heir, await logIn(heir), campaignId)).toMatchObject({
      sent: RECIPIENTS,
      waiting: 0,
    });
    expect(listFaults(heir.output())).toEqual([]);
    expect(await checkIntegrity(database)).toBe("ok");
  });

  /** Counts the rows claimed by an instance, whose name ends with its port. */
  function ownedBy({ port }: ServerProcess): Promise<number> {
    return withDatabase(database, async ({ read }) => {
      const rows = await read
        .selectFrom("deliveries")
        .select("id")
        .where("state", "=", "claimed")
        .where("lease_owner", "like", `%:${port}/%`)
        .execute();
      return rows.length;
    });
  }
});
