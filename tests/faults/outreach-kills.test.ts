import { describe, expect, it } from "vitest";
import { dialects, testDatabase } from "../databases";
import { startSmtpServer, type RunningSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import {
  countAuditEntries,
  listFaults,
  checkIntegrity,
  getDeliveryLedger,
  groupMessageIds,
  tally,
  withDatabase,
} from "./ledger";
import { readStatsOnPage, pageText, progressPage, sendToEverybody } from "./operator";
import { between, SEED, createRandom } from "../seeded-random";
import { addSubscribers } from "./subscribers";
import { until } from "./until";

const RECIPIENTS = 10_000;
const KILLS = 20;
const CONCURRENCY = 5;
const RECOVERY_MS = 5000;

// R3
describe.each(dialects)("kill -9 while a campaign is sent, on %s", (dialect) => {
  it(`skips nobody and repeats at most what was in flight (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = removeAfterTest(await testDatabase(dialect));
    const smtp = removeAfterTest(await startSmtpServer({ record: false }));
    const addresses = await withDatabase(database, (opened) => addSubscribers(opened, RECIPIENTS));
    const settings = { ...database.environment, ...smtp.environment, MAIL_CONCURRENCY: String(CONCURRENCY) };
    const server = removeAfterTest(await startServer(settings));
    const cookie = await logIn(server);
    const campaignId = await sendToEverybody(server, cookie);

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const part = RECIPIENTS / (KILLS + 1);
      await reach(smtp, between(random, (kill - 1) * part + 100, kill * part));
      await server.kill();
      expect(await measureRecovery(server, smtp)).toBeLessThan(RECOVERY_MS);
      expect(smtp.count() - groupMessageIds(smtp.deliveries).size).toBeLessThanOrEqual(CONCURRENCY * kill);
      // Every recipient has exactly one state, between the crashes and after them.
      const { sent, waiting, selected } = await readStatsOnPage(server, cookie, campaignId);
      expect(sent + waiting).toBe(selected);
    }
    const progress = () => pageText(server, cookie, progressPage(campaignId));
    await until("the end", async () => (await progress()).includes("Emails sent successfully"), {
      withinMs: 180_000,
      everyMs: 500,
    });

    const messageIds = groupMessageIds(smtp.deliveries);
    expect(new Set(messageIds.keys())).toEqual(new Set(addresses));
    expect([...messageIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    expect(smtp.count() - RECIPIENTS).toBeLessThanOrEqual(CONCURRENCY * KILLS);

    const { state, rows } = await getDeliveryLedger(database, campaignId);
    expect(state).toBe("finished");
    expect(tally(rows)).toEqual({ sent: RECIPIENTS });
    const getMessageId = (address: string) => [...(messageIds.get(address) ?? [])][0];
    expect(rows.filter((row) => row.message_id !== getMessageId(row.address))).toEqual([]);
    expect(await readStatsOnPage(server, cookie, campaignId)).toEqual({
      selected: RECIPIENTS,
      sent: RECIPIENTS,
      failed: 0,
      skipped: 0,
      uncertain: 0,
      waiting: 0,
    });
    expect(await countAuditEntries(database, "confirm-outreach")).toBe(1);
    expect(listFaults(server.output())).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(await checkIntegrity(database)).toBe("ok");
  });
});

function reach(smtp: RunningSmtpServer, emails: number): Promise<void> {
  return until(`email ${emails}`, () => smtp.count() >= emails, { withinMs: 120_000 });
}

/** Restarts the server. @returns milliseconds until its first email. */
async function measureRecovery(server: ServerProcess, smtp: RunningSmtpServer): Promise<number> {
  const connections = smtp.connections();
  const began = performance.now();
  const ready = server.restart();
  // Data in the dead process's sockets may still arrive; only a new connection comes from the new process.
  await until("a new connection", () => smtp.connections() > connections);
  await reach(smtp, smtp.count() + 1);
  const took = performance.now() - began;
  await ready;
  return took;
}
