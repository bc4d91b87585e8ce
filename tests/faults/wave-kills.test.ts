import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { days } from "~/lib/durations";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { startSmtpServer, type RunningSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { runNode } from "../run-node";
import { between, createRandom, SEED } from "../seeded-random";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { bearer, makeToken } from "../server/made-tokens";
import {
  checkIntegrity,
  groupMessageIds,
  listFaults,
  tally,
  withDatabase,
  getDeliveryLedger,
} from "./ledger";
import { pageText, prepareCampaign, progressPage } from "./operator";
import { until } from "./until";

const PEOPLE = 5000;
const WAVE = 200;
const CONCURRENCY = 5;
/** So that the moment of the kill is in the middle of a wave. */
const RATE_PER_SECOND = 100;
const FIRST_DAY = Date.UTC(2012, 0, 1);

const toAddress = (place: number) => `person-${place}@example.com`;
/** Those who signed up as the first to the last of these, from 1. */
const listOldest = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => toAddress(first + index));

// R3
describe.each(dialects)("a waiting list is worked in waves through a kill -9, on %s", (dialect) => {
  it(`invites everybody in order, and nobody twice beyond what was in flight (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = removeAfterTest(await testDatabase(dialect));
    const smtp = removeAfterTest(await startSmtpServer());
    const server = removeAfterTest(
      await startServer({
        ...database.environment,
        ...smtp.environment,
        INVITE_URL: "https://app.example.com/join?code={code}",
        MAIL_CONCURRENCY: String(CONCURRENCY),
        MAIL_RATE_PER_SECOND: String(RATE_PER_SECOND),
      }),
    );
    await importPeople(database);
    const cookie = await logIn(server);

    await finish(server, cookie, await beginWave(server, cookie));
    expect(getInvited(smtp)).toEqual(new Set(listOldest(1, WAVE)));

    const second = await beginWave(server, cookie);
    await until("the moment of the kill", () => smtp.count() >= WAVE + between(random, 20, 150));
    await server.kill();
    await server.restart();
    await finish(server, cookie, second);
    await finish(server, cookie, await beginWave(server, cookie));
    expect(getInvited(smtp)).toEqual(new Set(listOldest(1, 3 * WAVE)));
    const messageIds = groupMessageIds(smtp.deliveries);
    expect([...messageIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    expect(smtp.count() - 3 * WAVE).toBeLessThanOrEqual(CONCURRENCY);

    // Thirty come with their code, ten of whom join; and one whom nobody invited.
    const call = await createCaller(server, cookie);
    const codes = await readCodes(smtp, listOldest(1, 30));
    for (const [place, code] of codes.entries()) {
      expect(await call("verify", { code })).toMatchObject({
        valid: true,
        email: toAddress(place + 1),
        wave: 1,
      });
    }
    const joining = codes.slice(0, 10).map((code, index) => ({ code, email: toAddress(index + 1) }));
    const early = { email: toAddress(3 * WAVE + 1) };
    for (let time = 0; time < 2; time += 1) {
      const { results } = await call("joined", { people: [...joining, early] });
      expect(results).toHaveLength(11);
      expect(results).toEqual(
        results!.map(() => expect.objectContaining({ result: "joined", new: time === 0 })),
      );
    }

    const fourth = await beginWave(server, cookie);
    await finish(server, cookie, fourth);
    const { rows } = await getDeliveryLedger(database, fourth);
    expect(tally(rows)).toEqual({ sent: WAVE });
    expect(rows.map(({ address }) => address)).toEqual(listOldest(3 * WAVE + 2, 4 * WAVE + 1));

    expect(await countInvitations(database)).toEqual({ invited: 4 * WAVE - 10, joined: 11 });
    const funnel = await pageText(server, cookie, "/admin/dashboard/funnel?over=all");
    expect(funnel).toMatch(/Signups 5,000\b.*Invited 800\b.*Joined 10\b/);
    expect(listFaults(server.output())).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(await checkIntegrity(database)).toBe("ok");
  }, 600_000);
});

/** Imports people by the command, who signed up one a day, the last in the list first. */
async function importPeople(database: TestDatabase): Promise<void> {
  const file = join(database.environment.DATA_DIR, "list.csv");
  const lines = Array.from({ length: PEOPLE }, (_, index) => {
    const place = PEOPLE - index;
    const signedUp = new Date(FIRST_DAY + days(place)).toISOString();
    return `Person ${place},${toAddress(place)},${signedUp}`;
  });
  writeFileSync(file, ["Name,Email,Signed up at", ...lines].join("\n"));
  const { code, output } = await runNode(
    [
      "scripts/import.ts",
      file,
      "--form",
      "early-access",
      "--consent",
      "The old waiting list",
      "--map",
      "signed_up_at=Signed up at",
    ],
    database.environment,
  );
  expect({ code, output }).toMatchObject({ code: 0 });
}

/** Writes and confirms a campaign that invites the oldest who wait. @returns its id. */
async function beginWave(server: ServerProcess, cookie: string): Promise<string> {
  const confirm = await prepareCampaign(server, cookie, {
    title: "Your place is ready",
    message: "Come in: {{invite_link}}",
    limit: String(WAVE),
  });
  return confirm();
}

async function finish(server: ServerProcess, cookie: string, campaignId: string): Promise<void> {
  const isOver = async () =>
    (await pageText(server, cookie, progressPage(campaignId))).includes("Emails sent successfully");
  await until("the end of the wave", isOver, { withinMs: 60_000, everyMs: 250 });
}

const getInvited = ({ deliveries }: RunningSmtpServer) => new Set(deliveries.map(({ address }) => address));

async function readCodes(smtp: RunningSmtpServer, addresses: readonly string[]): Promise<string[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const email = await smtp.emails.find(({ to }) => to.includes(address))?.parse();
      const [, code = ""] = /\/i\/([\w.-]+)/.exec(String(email?.text)) ?? [];
      return code;
    }),
  );
}

async function createCaller(server: ServerProcess, cookie: string) {
  const token = await makeToken(server, cookie, { scopes: ["invitations:write"] });
  return async (path: string, body: object) => {
    const answer = await server.fetch(`/api/invitations/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...bearer(token) },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, unknown> & { results?: unknown[] };
  };
}

function countInvitations(database: TestDatabase): Promise<Record<string, number>> {
  return withDatabase(database, async ({ read }) => {
    const rows = await read
      .selectFrom("wave_invitations")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .groupBy("state")
      .execute();
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  });
}
