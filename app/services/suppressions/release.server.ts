import type { Database, Write } from "~/db/database.server";
import { isUuid } from "~/lib/uuid";
import { rejoinAudiences } from "~/services/signups/audience-position.server";

/** "reason-needed": one of them opted out, so nothing was released. */
export type Release = { ok: true; released: number } | { ok: false; error: "reason-needed" };

/**
 * Lets these addresses get mail again: all of them, or none. What a send has skipped stays skipped.
 * @param because needed where a person opted out: to write to them again is against what they said.
 * @param alongside written with each released address: what the audit says, the reason included.
 */
export function release(
  database: Database,
  { ids, because }: { ids: readonly string[]; because: string },
  alongside: (trx: Write, subject: string) => Promise<void>,
): Promise<Release> {
  const known = [...new Set(ids.filter(isUuid))];
  if (known.length === 0) return Promise.resolve({ ok: true, released: 0 });
  return database.write(async (trx): Promise<Release> => {
    const rows = await trx
      .selectFrom("suppressions")
      .select(["id", "address", "email_key", "opted_out"])
      .where("id", "in", known)
      .orderBy("id", "desc")
      .$if(database.dialect === "postgres", (query) => query.forUpdate())
      .execute();
    if (because === "" && rows.some((row) => row.opted_out === 1)) {
      return { ok: false, error: "reason-needed" };
    }
    for (const { id, address } of rows) {
      await trx.deleteFrom("suppressions").where("id", "=", id).execute();
      await alongside(trx, because === "" ? address : `${address} (${because})`);
    }
    await rejoinAudiences(
      trx,
      rows.map((row) => row.email_key),
    );
    return { ok: true, released: rows.length };
  });
}
