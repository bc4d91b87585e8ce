import { sql } from "kysely";
import { Agent } from "node:http";
import { describe, expect, it } from "vitest";
import { sendRequest } from "../bench/send-request";
import { testDatabase, type TestDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { startServer, type ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, someone, stampOfAPerson } from "../server/visitors";
import { listFaults, checkIntegrity, withDatabase } from "./ledger";
import { between, SEED, createRandom } from "../seeded-random";
import { chooseSize } from "../sizes";
import { until } from "./until";

const CLIENTS = 16;
const MAX_MS = 180_000;

const RUNS = chooseSize<{ dialect: TestDatabase["dialect"]; kills: number; atLeast: number }[]>({
  daily: [{ dialect: "sqlite", kills: 1, atLeast: 1 }],
  full: [
    { dialect: "sqlite", kills: 60, atLeast: 20 },
    { dialect: "postgres", kills: 10, atLeast: 5 },
  ],
});

// R1
describe.each(RUNS)("kill -9 while people sign up, on $dialect", ({ dialect, kills, atLeast }) => {
  it(`loses no acknowledged signup and stores none twice (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = removeAfterTest(await testDatabase(dialect));
    const server = removeAfterTest(await startServer({ ...database.environment, ...BEHIND_A_PROXY }));
    const visitors = createVisitors(server, await stampOfAPerson(server));
    const deadline = Date.now() + MAX_MS;
    let killed = 0;
    while (killed < kills && Date.now() < deadline) {
      const moment = visitors.getEvents() + between(random, 20, 300);
      const crowd = visitors.signUpUntilGone(CLIENTS);
      await until("the moment of the kill", () => visitors.getEvents() >= moment, { everyMs: 1 });
      await server.kill();
      await crowd;
      killed += 1;
      if (killed % 10 === 0) expect(await checkIntegrity(database)).toBe("ok");
      await server.restart();
    }
    expect(visitors.unexpected).toEqual([]);
    const afterKills = await getStored(database);
    expect([...visitors.acknowledged].filter((email) => !afterKills.emails.has(email))).toEqual([]);
    expectConsistent(afterKills);

    // Visitors who saw an error submit again: there is one row, whether the first submission was stored or not.
    await visitors.retryUnacknowledged();
    expect(visitors.unexpected).toEqual([]);
    const atEnd = await getStored(database);
    expect(atEnd.emails).toEqual(new Set(visitors.posted.keys()));
    expectConsistent(atEnd);

    expect(killed).toBeGreaterThanOrEqual(atLeast);
    expect(listFaults(server.output())).toEqual([]);
    await server.stop();
    expect(await checkIntegrity(database)).toBe("ok");
    console.info(`${dialect}: ${killed} kills, ${visitors.acknowledged.size} signups acknowledged`);
  });
});

function getStored(database: TestDatabase) {
  return withDatabase(database, async ({ read }) => {
    const rows = await read.selectFrom("submissions").select(["email_key", "state"]).execute();
    // Rows written with each signup in the same transaction.
    const beside = await sql<{ consents: number; fingerprints: number; counted: number }>`
      select (select count(*) from consents) as consents,
        (select count(*) from submission_fingerprints) as fingerprints,
        (select cast(sum(count) as bigint) from submission_counts) as counted
    `.execute(read);
    return {
      rows: rows.length,
      emails: new Set(rows.map((row) => row.email_key)),
      states: new Set<string>(rows.map((row) => row.state)),
      beside: beside.rows[0],
    };
  });
}

/** Expects no duplicate and no partially written row. */
function expectConsistent({ rows, emails, states, beside }: Awaited<ReturnType<typeof getStored>>): void {
  expect(rows).toBe(emails.size);
  expect(states).toEqual(new Set(["accepted"]));
  expect(beside).toEqual({ consents: rows, fingerprints: rows, counted: rows });
}

interface Signup {
  readonly email: string;
  readonly name: string;
}

/** Creates visitors who sign up concurrently. */
function createVisitors(server: ServerProcess, stamp: string) {
  /** Signups posted so far; repeated posts have the same content. */
  const posted = new Map<string, Signup>();
  /** Signups that got a 303 to the thank-you page. */
  const acknowledged = new Set<string>();
  const unexpected: string[] = [];
  /** Number of requests and responses. */
  let events = 0;

  return { posted, acknowledged, unexpected, getEvents: () => events, signUpUntilGone, retryUnacknowledged };

  /** Starts this many visitors, each posting one signup after the other until the server is gone. */
  async function signUpUntilGone(clients: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const browse = async () => {
      while (await post(agent, createSignup()));
    };
    await Promise.all(Array.from({ length: clients }, browse));
    agent.destroy();
  }

  /** Posts unacknowledged signups again, as a person would. */
  async function retryUnacknowledged(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const unacknowledged = [...posted.values()].filter(({ email }) => !acknowledged.has(email));
    await Promise.all(unacknowledged.map((signup) => post(agent, signup)));
    agent.destroy();
  }

  function createSignup(): Signup {
    const number = posted.size + 1;
    const signup = { email: `visitor-${number}@signup.test`, name: `Visitor ${number}` };
    posted.set(signup.email, signup);
    return signup;
  }

  /** @returns whether the server answered. */
  async function post(agent: Agent, { email, name }: Signup): Promise<boolean> {
    events += 1;
    const form = new URLSearchParams({ name, email, company: "", role: "developer", stamp, website: "" });
    // Each request comes from another network, so that no rate limit is reached.
    const request = { port: server.port, path: "/early-access", agent, headers: someone() };
    const { status, location } = await sendRequest(request, form.toString());
    if (typeof status === "string") return false;
    events += 1;
    if (status === 303 && location === "/early-access?notice=registered") acknowledged.add(email);
    else unexpected.push(`${email}: ${status} ${location}`);
    return true;
  }
}
