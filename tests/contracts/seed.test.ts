import { sql } from "kysely";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { countRows } from "~/db/rows";
import { readEnvironment } from "~/env.server";
import { listFiles } from "~/services/backups/backup.server";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { seed } from "../../scripts/seed/seed";
import { createTestBroadcasts } from "../factories/broadcast";
import { createTestOutreach } from "../factories/outreach";
import { expectCountsToAgree } from "../factories/submissions";
import { useDatabase } from "./use-database";

/** Seeds a database as npm run seed does, at a moment that stands still. */
function seedDatabase(database: Database, dataDir: string) {
  const environment = readEnvironment({ NODE_ENV: "test", DATA_DIR: dataDir });
  return seed(database, environment, { size: "small", now: Date.UTC(2026, 10, 21, 8) });
}

/** The seeded rows of each database. */
const seeded: Record<string, unknown> = {};

describe.each(dialects)("the seeded data on %s", (dialect) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await testDatabase(dialect);
    database = await place.open();
    expect(await seedDatabase(database, place.environment.DATA_DIR)).toMatchObject({ ok: true });
    const { read } = database;
    const submissions = read
      .selectFrom("submissions")
      .select(["kind", "state", "email", "created_at", "message"])
      .orderBy("id");
    const campaigns = read.selectFrom("campaigns").select(["title", "state", "confirmed_at"]).orderBy("id");
    seeded[dialect] = [await submissions.execute(), await campaigns.execute()];
    // 90 days of data: most of a minute on a small machine that starts a PostgreSQL of its own.
  }, 180_000);
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  it("has stored counts that equal the rows", async () => {
    await expectCountsToAgree(database);
    const { read } = database;
    const { lines } = await read
      .selectFrom("log_hours")
      .select(({ fn }) => fn.sum<number>("lines").as("lines"))
      .executeTakeFirstOrThrow();
    expect(Number(lines)).toBe(await countRows(read.selectFrom("log_lines")));
  });

  it("has campaigns and notifications whose totals add up", async () => {
    const { read } = database;
    const campaigns = await read
      .selectFrom("campaigns")
      .select(["id", "state", "hold", "hold_until"])
      .execute();
    const broadcasts = await read.selectFrom("broadcasts").select(["id", "state"]).execute();
    const listStates = (rows: readonly { state: string }[]) =>
      [...new Set(rows.map(({ state }) => state))].sort();
    expect(listStates(campaigns)).toEqual(["cancelled", "draft", "finished", "paused"]);
    expect(listStates(broadcasts)).toEqual(["cancelled", "draft", "finished", "paused"]);
    expect(
      campaigns.filter(({ hold, hold_until }) => hold === "operator" && hold_until !== null),
    ).toHaveLength(1);
    const results = new Set<string>();
    for (const { id } of campaigns) {
      const stats = await createTestOutreach(database).getStats(id);
      for (const state of ["sent", "failed", "skipped", "uncertain", "pending"] as const) {
        if (stats[state] > 0) results.add(state);
      }
    }
    expect([...results].sort()).toEqual(["failed", "pending", "sent", "skipped", "uncertain"]);
    for (const { id } of broadcasts) await createTestBroadcasts(database).getStats(id);
    const claimed = read.selectFrom("deliveries").select("id").where("state", "=", "claimed");
    expect(await claimed.execute()).toEqual([]);
  });

  it("has rows of every kind", async () => {
    const { read } = database;
    const distinct = async (query: { execute(): Promise<readonly object[]> }) =>
      [...new Set((await query.execute()).map((row) => String(Object.values(row)[0])))].sort();
    expect(await distinct(read.selectFrom("submissions").select("kind"))).toHaveLength(3);
    expect(await distinct(read.selectFrom("submissions").select("quarantine_reason"))).toHaveLength(4);
    expect(await distinct(read.selectFrom("suppressions").select("reason"))).toHaveLength(6);
    const levels = ["", "DEBUG", "ERROR", "INFO", "WARN"];
    expect(await distinct(read.selectFrom("log_hours").select("level"))).toEqual(levels);
    const mirrorStates = expect.arrayContaining(["waiting", "written"]);
    expect(await distinct(read.selectFrom("mirror_rows").select("state"))).toEqual(mirrorStates);
    const tokens = await read.selectFrom("api_tokens").select(["revoked_at", "last_used_at"]).execute();
    expect(tokens.filter((token) => token.revoked_at !== null)).toHaveLength(1);
    expect(tokens.filter((token) => token.last_used_at !== null)).toHaveLength(2);
    expect(await countRows(read.selectFrom("campaign_templates"))).toBe(3);
    expect(await countRows(read.selectFrom("saved_views"))).toBe(3);
    const incidents = await read.selectFrom("resource_incidents").select("ended_at").execute();
    expect(incidents.length).toBeGreaterThanOrEqual(4);
    expect(incidents.every(({ ended_at }) => ended_at !== null)).toBe(true);
    const repeated = read
      .selectFrom("submissions")
      .select("email_key")
      .groupBy("email_key")
      .having(({ fn }) => fn.count("kind").distinct(), ">", 1);
    expect((await repeated.execute()).length).toBeGreaterThan(10);
  });

  it("uses only addresses of example.com, .org and .net", async () => {
    const { read } = database;
    const addresses = await Promise.all([
      read.selectFrom("submissions").select("email as address").execute(),
      read.selectFrom("suppressions").select("address").execute(),
      read.selectFrom("deliveries").select("address").execute(),
      read.selectFrom("accounts").select("email as address").execute(),
      read.selectFrom("outbox_emails").select("to_address as address").execute(),
    ]);
    const otherAddresses = addresses
      .flat()
      .filter(({ address }) => !/@example\.(?:com|org|net)$/.test(address));
    expect(otherAddresses).toEqual([]);
    const devices = await read.selectFrom("devices").select("endpoint").execute();
    expect(devices.every(({ endpoint }) => endpoint.startsWith("https://push.example.com/"))).toBe(true);
    const files = await listFiles(join(place.environment.DATA_DIR, "outbox"));
    expect(files).toHaveLength(await countRows(read.selectFrom("outbox_emails")));
  });
});

describe("a seed that fails", () => {
  const { database, place } = useDatabase("sqlite");

  it("leaves no campaign that a server would send", async () => {
    const failing = sql`create trigger no_token before insert on api_tokens
      begin select raise(abort, 'full'); end`;
    await database.write((trx) => failing.execute(trx));
    await expect(seedDatabase(database, place.environment.DATA_DIR)).rejects.toThrow("full");
    const campaigns = await database.read.selectFrom("campaigns").select("state").execute();
    expect(campaigns.map(({ state }) => state)).toContain("paused");
    expect(campaigns.filter(({ state }) => state === "preparing" || state === "sending")).toEqual([]);
  });
});

it("seeding at the same time gives the same data on either database", () => {
  expect(seeded.postgres).toEqual(seeded.sqlite);
});
