import { beforeEach, describe, expect, it, vi } from "vitest";
import { seconds } from "~/lib/durations";
import { campaignStartMessages } from "~/content/campaign-start";
import { campaignStatusMessages, outreachMessages } from "~/content/outreach";
import { freePort } from "../../scripts/free-port.mjs";
import { testDatabase, type TestDatabase } from "../databases";
import { startBlackHole, startSmtpServer, type Answer, type RunningSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { listFaults, getDeliveryLedger, withDatabase, tally } from "./ledger";
import { readStatsOnPage, pageText, press, progressPage, campaignPage, sendToEverybody } from "./operator";
import { addSubscribers } from "./subscribers";
import { until } from "./until";

const RECIPIENTS = 60;
const CONCURRENCY = 5;

let database: TestDatabase;
let addresses: string[];
let server: ServerProcess;
let smtp: RunningSmtpServer;
let cookie: string;
let campaignId: string;

beforeEach(async () => {
  database = removeAfterTest(await testDatabase("sqlite"));
  addresses = await withDatabase(database, (opened) => addSubscribers(opened, RECIPIENTS));
});

// R8
describe("a campaign waits for its mail server, and never finishes early", () => {
  it("that refuses connections and starts later", async () => {
    const port = await freePort();
    await beginSending(`smtp://127.0.0.1:${port}`);
    await expectWaiting({ sent: 0, reason: /ECONNREFUSED/ });

    smtp = removeAfterTest(await startSmtpServer({ port }));
    await expectFinished();
    expectEachOnce(smtp);
  });

  it("that accepts connections and never responds", async () => {
    const hole = await startBlackHole();
    await beginSending(hole.url);
    // Waits until the greeting's timeout has passed.
    await expectWaiting({ sent: 0, reason: /greeting/i });
    await hole.close();

    smtp = removeAfterTest(await startSmtpServer({ port: hole.port }));
    await expectFinished();
    expectEachOnce(smtp);
  });

  it("that closes with 421 in the middle of the campaign", async () => {
    smtp = removeAfterTest(await startSmtpServer({ answer: answerFromTwentieth("421") }));
    await beginSending(smtp.url);
    await expectWaiting({ sent: 19, upTo: 19 + CONCURRENCY, reason: /Too many messages, closing/ });

    await expectFinished();
    expectEachOnce(smtp);
  });

  it("that closes the connection at DATA", async () => {
    smtp = removeAfterTest(await startSmtpServer({ answer: answerFromTwentieth("drop-in-data") }));
    await beginSending(smtp.url);
    await expectWaiting({ sent: 19, upTo: 19 + CONCURRENCY, reason: /./ });

    await expectFinished();
    expectEachOnce(smtp);
  });

  // R32
  it("that closes the connection after the end of a message", async () => {
    const lost = addresses.slice(0, 3);
    const answer = (address: string): Answer => (lost.includes(address) ? "drop-after-data" : "ok");
    smtp = removeAfterTest(await startSmtpServer({ answer }));
    await beginSending(smtp.url);
    const others = RECIPIENTS - lost.length;
    // Their arrival is unknown: an operator decides, and the campaign is finished for the others.
    await expectTally({ sent: others, uncertain: lost.length });
    await waitUntilFinished();
    expect(smtp.count()).toBe(RECIPIENTS);
    expectEachOnce(smtp);
    expect(await readStatsOnPage(server, cookie, campaignId)).toMatchObject({
      sent: others,
      uncertain: lost.length,
      waiting: 0,
    });
    expect(await pageText(server, cookie, campaignPage(campaignId))).toContain(
      campaignStatusMessages.uncertainQuestion(lost.length),
    );

    await press(server, cookie, campaignId, "decide", { decision: "count-as-sent" });
    await expectTally({ sent: RECIPIENTS });
    expect(smtp.count()).toBe(RECIPIENTS);
  });

  // R32
  it("that responds to a message after 40 s", async () => {
    const [slow = ""] = addresses;
    const answer = (address: string): Answer => (address === slow ? { slow: seconds(40) } : "ok");
    smtp = removeAfterTest(await startSmtpServer({ answer }));
    await beginSending(smtp.url);
    // One slow response occupies one connection: the others continue.
    await expectTally({ sent: RECIPIENTS - 1, claimed: 1 });
    await until("the slow response", async () => tally((await ledger()).rows).sent === RECIPIENTS, {
      withinMs: seconds(60),
      everyMs: 100,
    });
    await expectFinished();
    expectEachOnce(smtp);
    expect(countCopies(slow)).toEqual({ copies: 1, messageIds: 1 });
  });

  // R21, R32
  it.each([
    ["on", { copies: 2, tally: { sent: RECIPIENTS } }],
    ["off", { copies: 1, tally: { sent: RECIPIENTS - 1, uncertain: 1 } }],
  ])("that never responds does not delay a stop, resending %s", async (RESEND_AFTER_CRASH, expected) => {
    const [slow = ""] = addresses;
    const answer = (address: string, attempt: number): Answer =>
      address === slow && attempt === 1 ? { after: new Promise(() => undefined) } : "ok";
    smtp = removeAfterTest(await startSmtpServer({ answer }));
    await beginSending(smtp.url, { RESEND_AFTER_CRASH });
    await expectTally({ sent: RECIPIENTS - 1, claimed: 1 });
    const startedAt = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(seconds(10));
    expect(server.output()).toContain('"msg":"drained"');
    expect(server.output()).not.toContain("did not finish in time");

    await server.restart();
    await expectTally(expected.tally);
    await waitUntilFinished();
    expect(countCopies(slow)).toEqual({ copies: expected.copies, messageIds: 1 });
    expect(smtp.count()).toBe(RECIPIENTS - 1 + expected.copies);
  });

  it("that refuses our login: the campaign is paused until it is resumed", async () => {
    smtp = removeAfterTest(await startSmtpServer({ auth: { user: "desk", pass: "right" } }));
    await beginSending(`smtp://desk:wrong@127.0.0.1:${smtp.port}`);
    await until("the pause", async () => (await ledger()).state === "paused");
    const page = () => pageText(server, cookie, campaignPage(campaignId));
    const words = "535 Authentication credentials invalid";
    expect(await page()).toContain(`${campaignStartMessages.pausedBecause} ${words}`);
    expect(await page()).not.toContain("wrong");
    expect(tally((await ledger()).rows)).toEqual({ pending: RECIPIENTS });

    // The operator corrects the password; nothing is sent before they resume.
    await server.restart({ SMTP_URL: smtp.url });
    expect((await ledger()).state).toBe("paused");
    expect(smtp.count()).toBe(0);
    await press(server, cookie, campaignId, "resume");
    await expectFinished();
    expectEachOnce(smtp);
  });
});

async function beginSending(url: string, environment: Record<string, string> = {}): Promise<void> {
  server = removeAfterTest(
    await startServer({
      ...database.environment,
      MAIL_DRIVER: "smtp",
      SMTP_URL: url,
      MAIL_CONCURRENCY: String(CONCURRENCY),
      ...environment,
    }),
  );
  cookie = await logIn(server);
  campaignId = await sendToEverybody(server, cookie);
}

const ledger = () => getDeliveryLedger(database, campaignId);
const progress = () => pageText(server, cookie, progressPage(campaignId));

/** Returns this answer once per connection from the 20th RCPT TO on, and "ok" otherwise. */
function answerFromTwentieth(answer: Answer): () => Answer {
  let count = 0;
  return () => {
    count += 1;
    return count >= 20 && count < 20 + CONCURRENCY ? answer : "ok";
  };
}

async function waitUntilFinished(options?: Parameters<typeof until>[2]): Promise<void> {
  await until("the end", async () => (await ledger()).state === "finished", options);
}

/** Expects the campaign to wait: the page shows how many were sent, and the stats count all others as pending. */
async function expectWaiting(expected: { sent: number; upTo?: number; reason: RegExp }): Promise<void> {
  const { sent, upTo = sent, reason } = expected;
  await until("the wait", async () => (await ledger()).hold_detail !== "");
  // Emails in flight when the wait began may still finish, also between reading the page and the database.
  let done = 0;
  let text = "";
  await until("a page that agrees with the ledger", async () => {
    text = await progress();
    done = tally((await ledger()).rows).sent ?? 0;
    return text.includes(outreachMessages.unreachable(done, RECIPIENTS));
  });
  const { state, hold_detail } = await ledger();
  expect(state).toBe("sending");
  expect(hold_detail).toMatch(reason);
  expect(done).toBeGreaterThanOrEqual(sent);
  expect(done).toBeLessThanOrEqual(upTo);
  expect(text).toContain(hold_detail);
  expect(await readStatsOnPage(server, cookie, campaignId)).toEqual({
    selected: RECIPIENTS,
    sent: done,
    waiting: RECIPIENTS - done,
    failed: 0,
    skipped: 0,
    uncertain: 0,
  });
}

/** Expects the campaign to finish without an operator, and soon: the first wait is 5 s, a second one 10 s. */
async function expectFinished(): Promise<void> {
  await waitUntilFinished({ withinMs: seconds(30), everyMs: 100 });
  const { rows, hold_detail } = await ledger();
  expect(tally(rows)).toEqual({ sent: RECIPIENTS });
  // A connection that failed before an email was handed over does not count as an attempt.
  expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  expect(hold_detail).toBe("");
  expect(await progress()).toContain(outreachMessages.sent);
  expect(listFaults(server.output())).toEqual([]);
}

async function expectTally(expected: ReturnType<typeof tally>): Promise<void> {
  await vi.waitFor(async () => expect(tally((await ledger()).rows)).toEqual(expected), {
    timeout: seconds(30),
    interval: 100,
  });
}

function countCopies(address: string): { copies: number; messageIds: number } {
  const got = smtp.deliveries.filter((delivery) => delivery.address === address);
  return { copies: got.length, messageIds: new Set(got.map(({ messageId }) => messageId)).size };
}

function expectEachOnce({ deliveries }: RunningSmtpServer): void {
  expect(deliveries.map(({ address }) => address).sort()).toEqual([...addresses].sort());
}
