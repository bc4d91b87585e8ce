import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { join } from "node:path";
import type { Database } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { DeliveryState } from "~/db/tables/outreach";
import type { TestDatabase } from "../databases";
import type { ServerProcess } from "../server-process";

/** Reads the database without the product. */

/**
 * Opens the database for one read: a connection that stays open would spare the product its recovery after a
 * crash.
 */
export async function withDatabase<T>(
  database: TestDatabase,
  work: (opened: Database) => Promise<T>,
  options?: Parameters<TestDatabase["open"]>[0],
): Promise<T> {
  const opened = await database.open(options);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

export function getDeliveryLedger(database: TestDatabase, campaignId: string) {
  return withDatabase(database, async ({ read }) => {
    const campaign = await read
      .selectFrom("campaigns")
      .select(["state", "hold_detail"])
      .where("id", "=", campaignId)
      .executeTakeFirstOrThrow();
    const rows = await read
      .selectFrom("deliveries")
      .select(["address", "state", "attempts", "detail", "message_id"])
      .where("campaign_id", "=", campaignId)
      .orderBy("id")
      .execute();
    return { ...campaign, rows };
  });
}

/** Counts the rows by state; states without rows are left out. */
export function tally(rows: readonly { state: DeliveryState }[]): Partial<Record<DeliveryState, number>> {
  const counts: Partial<Record<DeliveryState, number>> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Reads a broadcast: its state, and the number of its pushes by state. */
export function getBroadcastLedger(database: TestDatabase, id: string) {
  return withDatabase(database, async ({ read }) => {
    const { state } = await read
      .selectFrom("broadcasts")
      .select("state")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const rows = await read
      .selectFrom("pushes")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where("broadcast_id", "=", id)
      .groupBy("state")
      .execute();
    return { state, states: Object.fromEntries(rows.map((row) => [row.state, row.count])) };
  });
}

/** Counts the rows claimed by an instance, whose name ends with its port. */
export function countClaims(
  database: TestDatabase,
  { port }: ServerProcess,
  table: "deliveries" | "pushes",
): Promise<number> {
  return withDatabase(database, ({ read }) =>
    countRows(
      read.selectFrom(table).where("state", "=", "claimed").where("lease_owner", "like", `%:${port}/%`),
    ),
  );
}

/** Returns the Message-IDs that each address got. */
export function groupMessageIds(emails: readonly { address: string; messageId: string }[]) {
  const groups = Map.groupBy(emails, ({ address }) => address);
  return new Map(
    [...groups].map(([address, own]) => [address, new Set(own.map((email) => email.messageId))]),
  );
}

export function countAuditEntries(database: TestDatabase, action: string): Promise<number> {
  return withDatabase(database, ({ read }) =>
    countRows(read.selectFrom("audit").where("action", "=", action)),
  );
}

/** Returns "ok", or the damage found. PostgreSQL has no integrity check: there every table is read whole. */
export async function checkIntegrity(database: TestDatabase): Promise<string> {
  if (database.dialect === "sqlite") {
    const file = new SqliteFile(join(database.environment.DATA_DIR, "frontdesk.db"), { readonly: true });
    const result: unknown = file.pragma("integrity_check", { simple: true });
    const orphans: unknown = file.pragma("foreign_key_check");
    file.close();
    return Array.isArray(orphans) && orphans.length > 0 ? "broken references" : String(result);
  }
  return withDatabase(database, async ({ read }) => {
    for (const table of ["submissions", "consents", "campaigns", "deliveries", "audit"] as const) {
      await sql`select sum(length(t::text)) from ${sql.table(table)} t`.execute(read);
    }
    return "ok";
  });
}

/** Lists the lines in which the product reports a fault, and output that is not a log line. */
export function listFaults(output: string): string[] {
  return output.split("\n").filter((line) => /"level":(?:50|60)\b/.test(line) || /unhandled/i.test(line));
}
