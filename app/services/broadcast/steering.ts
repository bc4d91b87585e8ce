import type { BroadcastsTable } from "~/db/tables/broadcast";

/** "wrong-state": what was asked for cannot be done with it as it is. */
export type Steering = { ok: true } | { ok: false; error: "unknown-broadcast" | "wrong-state" };

/** The state of a broadcast that is neither paused nor over. */
export function movingState(
  broadcast: Pick<BroadcastsTable, "prepared_through" | "audience_through">,
): "preparing" | "sending" {
  return broadcast.prepared_through === broadcast.audience_through ? "sending" : "preparing";
}
