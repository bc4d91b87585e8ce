import type { Write } from "~/db/database.server";
import { MOVING_STATES } from "./life-cycle";

/**
 * Pauses all campaigns and broadcasts that are under way; a campaign keeps its planned start.
 * @returns how many are paused for this reason, by this call or an earlier one.
 */
export async function pauseAll(
  trx: Write,
  hold: { readonly hold: "operator" | "restored"; readonly hold_detail: string },
): Promise<number> {
  const paused = { state: "paused", ...hold } as const;
  await trx
    .updateTable("campaigns")
    .set(({ ref, eb }) => ({
      ...paused,
      hold_until: eb.case().when("hold", "in", ["hold", "schedule"]).then(ref("hold_until")).else(null).end(),
    }))
    .where("state", "in", MOVING_STATES)
    .execute();
  await trx.updateTable("broadcasts").set(paused).where("state", "in", MOVING_STATES).execute();
  return (await countPaused(trx, "campaigns", hold.hold)) + (await countPaused(trx, "broadcasts", hold.hold));
}

async function countPaused(
  trx: Write,
  table: "campaigns" | "broadcasts",
  hold: "operator" | "restored",
): Promise<number> {
  const { count } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "=", "paused")
    .where("hold", "=", hold)
    .executeTakeFirstOrThrow();
  return count;
}
