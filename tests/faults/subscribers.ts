import type { Database } from "~/db/database.server";
import { newId } from "~/services/service-deps";
import { EMPTY_FIELDS } from "~/services/signups/typed-columns";

const CHUNK = 500;

/**
 * Adds `count` early access signups without the form, because thousands of posts would take minutes. A database
 * of an earlier version gets the columns it has.
 * @returns the addresses.
 */
export async function addSubscribers(database: Pick<Database, "write">, count: number): Promise<string[]> {
  const tables = await database.write((trx) => trx.introspection.getTables());
  const known = tables.find(({ name }) => name === "submissions")?.columns.map(({ name }) => name);
  const empty = Object.entries(EMPTY_FIELDS).filter(([column]) => known?.includes(column));
  const addresses = Array.from({ length: count }, (_, index) => `person-${index + 1}@list.test`);
  for (let at = 0; at < count; at += CHUNK) {
    const rows = addresses.slice(at, at + CHUNK).map((email, index) => ({
      ...(Object.fromEntries(empty) as typeof EMPTY_FIELDS),
      id: newId(),
      kind: "early-access" as const,
      state: "accepted" as const,
      quarantine_reason: "" as const,
      name: `Person ${at + index + 1}`,
      email,
      email_key: email,
      created_at: Date.now(),
    }));
    await database.write((trx) => trx.insertInto("submissions").values(rows).execute());
  }
  const total = { kind: "early-access" as const, state: "accepted" as const, count };
  await database.write((trx) => trx.insertInto("submission_counts").values(total).execute());
  return addresses;
}
