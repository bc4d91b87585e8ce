import { describe, expect, it } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { MIRROR_REMOTES, type MirrorRemote } from "../factories/mirror-remotes";
import { listFaults, checkIntegrity, withDatabase } from "./ledger";
import { until } from "./until";
import { removeAfterTest } from "../fixture";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { getRedirect } from "../server/operators";
import { BEHIND_A_PROXY, quantile, SIGNED_UP, signUp, someone, stampOfAPerson } from "../server/visitors";

const SIGNUPS = 10_000;
const CLIENTS = 8;
const KILLS = 2;
/** Signups to one server before those to the other. */
const TURN = 80;
const ENOUGH_MS = 600_000;
/** Allowed slowdown of a signup by a mirror, for noise of the machine: milliseconds and a factor. */
const SLACK = { ms: 30, factor: 2 };

const RUNS = dialects.flatMap((dialect) =>
  (["web-endpoint", "google-sheets"] as const).map((mirror) => ({ dialect, mirror })),
);

// R11
describe.each(RUNS)("$mirror is away and the server is killed twice, on $dialect", ({ dialect, mirror }) => {
  it("has every signup there afterwards, in order and once, and none was slower for it", async () => {
    const other = removeAfterTest(await MIRROR_REMOTES[mirror]());
    const database = removeAfterTest(await testDatabase(dialect));
    const mirrored = removeAfterTest(
      await startServer({
        ...BEHIND_A_PROXY,
        ...database.environment,
        SUBMISSION_MIRROR: mirror,
        ...other.environment,
      }),
    );

    other.setDown(true);
    const crowd = await getCrowd(mirrored);
    const plain = await withoutMirror(dialect);
    for (let batch = 0; batch * TURN < SIGNUPS; batch += 1) {
      for (const each of [crowd, plain]) await each.signUp(batch * TURN, TURN);
    }
    const [slow, usual] = [crowd.p95(), plain.p95()];
    console.info(`${dialect}: a signup's p95 is ${slow} ms with the mirror away, ${usual} ms without one`);
    expect(slow).toBeLessThan(usual * SLACK.factor + SLACK.ms);

    // Once while nothing can be written, once while it is.
    await mirrored.restart();
    other.setDown(false);
    const written = () => other.rows().length;
    await until("half of them", () => written() >= SIGNUPS / 2, { withinMs: ENOUGH_MS });
    await mirrored.kill();
    await pause(100);
    await mirrored.restart();
    const isQuiet = async () => (await openRows(database)).every(({ state }) => state === "uncertain");
    await until("the rest", isQuiet, { withinMs: ENOUGH_MS, everyMs: 250 });

    const uncertain = await openRows(database);
    // A place may be written again. An endpoint only appends, one row at a time: each kill can leave the row
    // whose answer was not recorded yet, also while every answer was a refusal.
    expect(uncertain.length).toBeLessThanOrEqual(mirror === "web-endpoint" ? KILLS : 0);
    const again = uncertain.filter(({ email }) => !emailsAt(other).includes(email ?? ""));
    const headers = { Cookie: await logIn(mirrored, undefined, someone()) };
    for (const row of uncertain) {
      const intent = again.includes(row) ? "again" : "done";
      const answer = await mirrored.fetch("/admin/mirrors", formPost({ intent, id: row.id }, headers));
      expect(answer.headers.get("Location")).toBe("/admin/mirrors?notice=mirror-decided");
    }
    await until("all of them", async () => (await openRows(database)).length === 0, { withinMs: 30_000 });

    const stored = await storedEmails(database);
    expect(stored).toHaveLength(SIGNUPS);
    const isAgain = (email: string) => again.some((row) => row.email === email);
    const late = stored.filter(isAgain);
    expect(emailsAt(other)).toEqual([...stored.filter((email) => !isAgain(email)), ...late]);
    expect(other.rows()[0]?.slice(0, 4)).toEqual(["Ada Byron", stored[0], "", ""]);
    const isExpected = (line: string) => line.includes("the mirror cannot be read or written");
    expect(listFaults(mirrored.output()).filter((line) => !isExpected(line))).toEqual([]);
    expect(await mirrored.stop()).toBe(0);
    expect(await checkIntegrity(database)).toBe("ok");
  });
});

const emailsAt = (other: MirrorRemote) => other.rows().map((row) => row[1] ?? "");

/** Starts a server without a mirror until the test is over, and its visitors. */
async function withoutMirror(dialect: TestDatabase["dialect"]) {
  const database = removeAfterTest(await testDatabase(dialect));
  return getCrowd(removeAfterTest(await startServer({ ...BEHIND_A_PROXY, ...database.environment })));
}

/** Creates visitors of a server, who measure how long a signup takes. */
async function getCrowd(server: ServerProcess) {
  const stamp = await stampOfAPerson(server);
  const times: number[] = [];
  return {
    async signUp(from: number, count: number): Promise<void> {
      let next = from;
      const browse = async () => {
        while (next < from + count) {
          const email = `visitor-${next++}@example.com`;
          const begun = performance.now();
          const answer = await signUp(server, { stamp, email }, someone());
          times.push(performance.now() - begun);
          expect(getRedirect(answer)).toEqual([303, SIGNED_UP]);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, browse));
    },
    p95: () => Math.round(quantile(times, 0.95)),
  };
}

/** Lists the rows that are not written, by arrival, read from the database. */
function openRows(database: TestDatabase) {
  return withDatabase(database, ({ read }) =>
    read
      .selectFrom("mirror_rows")
      .leftJoin("submissions", "submissions.id", "mirror_rows.id")
      .select(["mirror_rows.id", "mirror_rows.state", "email"])
      .where("mirror_rows.state", "!=", "written")
      .orderBy("mirror_rows.id")
      .execute(),
  );
}

/** Lists the addresses in the order in which they are copied. */
function storedEmails(database: TestDatabase): Promise<string[]> {
  return withDatabase(database, async ({ read }) => {
    const rows = await read.selectFrom("submissions").select("email").orderBy("id").execute();
    return rows.map(({ email }) => email);
  });
}
