import type { Write } from "~/db/database.server";
import { MOVING_STATES } from "./life-cycle";

/** Pauses all campaigns and broadcasts that are under way; a campaign keeps its planned start. @returns how many. */
export async function pauseAll(
  trx: Write,
  hold: { readonly hold: "operator" | "restored"; readonly hold_detail: string },
): Promise<number> {
  const paused = { state: "paused", ...hold } as const;
  const campaigns = await trx
    .updateTable("campaigns")
    .set(({ ref, eb }) => ({
      ...paused,
      hold_until: eb.case().when("hold", "in", ["hold", "schedule"]).then(ref("hold_until")).else(null).end(),
    }))
    .where("state", "in", MOVING_STATES)
    .executeTakeFirst();
  const broadcasts = await trx
    .updateTable("broadcasts")
    .set(paused)
    .where("state", "in", MOVING_STATES)
    .executeTakeFirst();
  return Number(campaigns.numUpdatedRows + broadcasts.numUpdatedRows);
}
