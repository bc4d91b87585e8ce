import type { Read, Write } from "~/db/database.server";

/** The platform's part of a broadcast, for pages. */
export type PlatformPart = NonNullable<Awaited<ReturnType<typeof findPart>>>;

/** Creates the platform's part, in the transaction of the confirmation. */
export async function addPart(trx: Write, id: string, now: number): Promise<void> {
  await trx
    .insertInto("platform_broadcasts")
    .values({
      id,
      state: "pending",
      success_count: 0,
      failure_count: 0,
      detail: "",
      attempts: 0,
      not_before: 0,
      lease_owner: "",
      lease_until: 0,
      updated_at: now,
    })
    .execute();
}

/** Returns the platform's part; undefined without one. */
export function findPart(read: Read, id: string) {
  return read
    .selectFrom("platform_broadcasts")
    .select(["state", "detail", "success_count as successCount", "failure_count as failureCount"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Skips the part of a cancelled broadcast. */
export async function skipPart(trx: Write, id: string, now: number): Promise<void> {
  await trx
    .updateTable("platform_broadcasts")
    .set({ state: "skipped", updated_at: now })
    .where("id", "=", id)
    .where("state", "in", ["pending", "retrying"])
    .execute();
}

/** Requeues a failed or uncertain part, which may send it twice. @returns whether there was one. */
export async function reopenPart(trx: Write, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("platform_broadcasts")
    .set({ state: "pending", detail: "", attempts: 0, not_before: 0, updated_at: now })
    .where("id", "=", id)
    .where("state", "in", ["failed", "uncertain"])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
