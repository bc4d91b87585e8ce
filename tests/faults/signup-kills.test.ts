import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../databases";
import type { TestDatabase } from "../databases";
import { startServer } from "../server-process";
import { stampOfAPerson } from "../server/visitors";
import { listFaults, checkIntegrity, withDatabase } from "./ledger";
import { between, SEED, createRandom } from "../seeded-random";
import { until } from "./until";
import { createVisitors } from "./visitors";

const CLIENTS = 16;
const MAX_MS = 180_000;

describe.each([
  { dialect: "sqlite", kills: 60, atLeast: 20 },
  { dialect: "postgres", kills: 10, atLeast: 5 },
] as const)("kill -9 while people sign up, on $dialect (R1)", ({ dialect, kills, atLeast }) => {
  it(`loses no acknowledged signup and stores none twice (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = await testDatabase(dialect);
    const server = await startServer({ ...database.environment, TRUST_PROXY: "1" });
    try {
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
    } finally {
      await server.remove();
      await database.remove();
    }
  });
});

interface Stored {
  readonly rows: number;
  readonly emails: Set<string>;
  readonly states: Set<string>;
  /** Rows written with each signup in the same transaction. */
  readonly beside: { consents: number; fingerprints: number; counted: number };
}

function getStored(database: TestDatabase): Promise<Stored> {
  return withDatabase(database, async ({ read }) => {
    const rows = await read.selectFrom("submissions").select(["email_key", "state"]).execute();
    const beside = await sql<Stored["beside"]>`
      select (select count(*) from consents) as consents,
        (select count(*) from submission_fingerprints) as fingerprints,
        (select cast(sum(count) as bigint) from submission_counts) as counted
    `.execute(read);
    return {
      rows: rows.length,
      emails: new Set(rows.map((row) => row.email_key)),
      states: new Set(rows.map((row) => row.state)),
      beside: beside.rows[0] ?? { consents: NaN, fingerprints: NaN, counted: NaN },
    };
  });
}

/** Expects no duplicate and no partially written row. */
function expectConsistent({ rows, emails, states, beside }: Stored): void {
  expect(rows).toBe(emails.size);
  expect(states).toEqual(new Set(["accepted"]));
  expect(beside).toEqual({ consents: rows, fingerprints: rows, counted: rows });
}
