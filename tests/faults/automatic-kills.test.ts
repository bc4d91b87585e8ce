import { describe, expect, it } from "vitest";
import { dialects, testDatabase } from "../databases";
import { startSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { between, createRandom, SEED } from "../seeded-random";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, SIGNED_UP, signUp, stampOfAPerson } from "../server/visitors";
import { checkIntegrity, groupMessageIds, listFaults, tally, withDatabase } from "./ledger";
import { until } from "./until";

const SIGNUPS = 5000;
const KILLS = 3;
const VISITORS = 8;
const CONCURRENCY = 5;

// R1, R3
describe.each(dialects)("kill -9 while signups are thanked, on %s", (dialect) => {
  it(`thanks everybody, and nobody twice beyond what was in flight (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = removeAfterTest(await testDatabase(dialect));
    const smtp = removeAfterTest(await startSmtpServer({ record: false }));
    const server = removeAfterTest(
      await startServer({
        ...database.environment,
        ...smtp.environment,
        ...BEHIND_A_PROXY,
        MAIL_CONCURRENCY: String(CONCURRENCY),
      }),
    );
    const headers = { Cookie: await logIn(server) };
    const turnedOn = await server.fetch(
      "/admin/automatic/thank-you",
      formPost({ intent: "turn-on" }, headers),
    );
    expect(turnedOn.status).toBe(303);

    const crowd = createCrowd(server, await stampOfAPerson(server));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const part = SIGNUPS / (KILLS + 1);
      const moment = between(random, (kill - 1) * part + 100, kill * part);
      const waiting = crowd.signUpUntil(SIGNUPS);
      await until("the moment of the kill", () => smtp.count() >= moment, { withinMs: 180_000 });
      await server.kill();
      await waiting;
      await server.restart();
    }
    await crowd.signUpUntil(SIGNUPS);
    expect(crowd.acknowledged.size).toBe(SIGNUPS);

    const readStates = () =>
      withDatabase(database, ({ read }) =>
        read
          .selectFrom("transactional_emails")
          .select(["state", "address"])
          .where("kind", "=", "thank-you")
          .execute(),
      );
    await until(
      "the last thank-you",
      async () => (await readStates()).every(({ state }) => state === "sent"),
      {
        withinMs: 180_000,
        everyMs: 500,
      },
    );
    const rows = await readStates();
    expect(tally(rows)).toEqual({ sent: SIGNUPS });
    expect(new Set(rows.map(({ address }) => address))).toEqual(crowd.acknowledged);
    const messageIds = groupMessageIds(smtp.deliveries);
    expect(new Set(messageIds.keys())).toEqual(crowd.acknowledged);
    expect([...messageIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    expect(smtp.count() - SIGNUPS).toBeLessThanOrEqual(CONCURRENCY * KILLS);
    expect(listFaults(server.output())).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(await checkIntegrity(database)).toBe("ok");
  }, 900_000);
});

/** Creates visitors who sign up side by side, each address once it is acknowledged, and again where it was not. */
function createCrowd(server: ServerProcess, stamp: string) {
  const acknowledged = new Set<string>();
  const refused: string[] = [];
  let next = 1;

  /** Resolves when so many signups are acknowledged, or the server is gone. */
  async function signUpUntil(count: number): Promise<void> {
    let isGone = false;
    const visit = async () => {
      while (!isGone) {
        const email = refused.pop() ?? (next <= count ? `person${next++}@example.com` : undefined);
        if (email === undefined) return;
        const answer = await signUp(server, { stamp, email, name: email }).catch(() => undefined);
        if (answer?.headers.get("Location") === SIGNED_UP) acknowledged.add(email);
        else {
          refused.push(email);
          isGone = answer === undefined;
        }
      }
    };
    await Promise.all(Array.from({ length: VISITORS }, visit));
  }

  return { acknowledged, signUpUntil };
}
