import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { createBounces } from "~/services/bounces/bounces.server";
import { newId } from "~/services/service-deps";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { operator } from "./outreach";
import { signReport } from "./signed-report";
import { createTestClock } from "./time";
import { inPieces } from "./pieces";

const SECRET = "a secret of the tests, long enough";

/** Creates the suppression list of a database, and a provider that reports bounces to it. */
export function createTestSuppressions(database: Database) {
  const clock = createTestClock();
  const list = createSuppressionList({ database, clock, newId });
  const bounces = createBounces({ database, clock, newId, secret: SECRET });

  return { clock, list, report, reportBody, rows, addresses };

  /** Sends a provider's events, signed at the current time. */
  function report(events: readonly unknown[]) {
    return reportBody(JSON.stringify({ events }));
  }

  function reportBody(body: string | Buffer) {
    return bounces.receive(
      { signature: signReport(body, SECRET, clock()), body: Buffer.from(body as string) },
      operator,
    );
  }

  function rows() {
    return database.read.selectFrom("suppressions").selectAll().orderBy("id").execute();
  }

  /** Lists the suppressed addresses, newest first. */
  async function addresses(...parameters: Parameters<typeof list.list>): Promise<string[]> {
    return (await list.list(...parameters)).map((row) => row.address);
  }
}

/** Stores `count` suppressed addresses. */
export async function storeManySuppressions(database: Database, count: number): Promise<void> {
  await inPieces(
    database,
    [1, count],
    (numbers) => sql`
      insert into suppressions (id, address, email_key, reason, detail, opted_out, delivery_id, created_at)
      with recursive ${numbers}
      select '01900000-0000-7000-8000-' || cast(100000000000 + n as text),
        'person' || cast(n as text) || '@example.com', 'person' || cast(n as text) || '@example.com',
        case when n < 4 then 'complained' when n % 3 = 0 then 'refused' else 'unsubscribed' end,
        '550 no such user', 0, null, n from numbers`,
  );
}
