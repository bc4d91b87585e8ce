import type { Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import type { NewId } from "~/services/service-deps";
import { isCircuitOpen, isCircuitPassed, assessBroadcast, type FinishedPush, type Stop } from "./circuit";
import { removeGoneDevices, recordFirstAccepted } from "./audience.server";
import { hasOpenJobs } from "~/services/queue/groups.server";
import { MOVING_STATES } from "~/services/queue/life-cycle";
import { lockBroadcast, listOpenBroadcasts, NO_HOLD } from "./broadcast-state.server";
import type { Broadcast, OpenBroadcast } from "./broadcast-state.server";
import { findBroadcast } from "./broadcast-stats.server";

interface SettleContext {
  readonly newId: NewId;
  readonly now: number;
}

/**
 * Applies results to devices and broadcasts. May run again for the same results.
 * @returns the open broadcasts in their new state.
 */
export async function settle(
  trx: Write,
  context: SettleContext,
  finished: readonly FinishedPush[],
): Promise<OpenBroadcast[]> {
  for (const [broadcastId, group] of Map.groupBy(finished, ({ row }) => row.broadcast_id)) {
    await updateCircuit(trx, context, broadcastId, group);
  }
  // Locks devices after broadcasts, as everywhere, so that two instances do not deadlock.
  const isFirst = ({ row, result }: FinishedPush) =>
    result.state === "accepted" && row.device?.first_accepted_at === null;
  const accepted = finished.filter(isFirst).map(({ row }) => row.device_id);
  if (accepted.length > 0) await recordFirstAccepted(trx, accepted, context.now);
  return listOpenBroadcasts(trx);
}

/** Adds results to the circuit of a broadcast, and stops the broadcast or removes gone devices as it says. */
async function updateCircuit(
  trx: Write,
  context: SettleContext,
  broadcastId: string,
  finished: readonly FinishedPush[],
): Promise<void> {
  // Accepted results after the first hundred change nothing, and need no lock.
  const known = await findBroadcast(trx, broadcastId);
  if (!known || !changesCircuit(known, finished, context.now)) return;
  const broadcast = await lockBroadcast(trx, broadcastId);
  if (!broadcast) return;
  const { circuit, stop } = assessBroadcast(broadcast, finished, context.now);
  await trx.updateTable("broadcasts").set(circuit).where("id", "=", broadcastId).execute();
  const detail = finished.find(({ result }) => result.stop !== undefined)?.result.stop;
  const reason = detail === undefined ? stop : ({ by: "unauthorized", detail } as const);
  if (reason) await stopBroadcast(trx, context, broadcastId, reason);
  if (!isCircuitPassed(circuit)) return;
  const goneIds = finished.flatMap(({ row, result }) => (result.state === "gone" ? [row.id] : []));
  if (!isCircuitPassed(broadcast)) await removeGoneDevices(trx, broadcastId);
  else if (goneIds.length > 0) await removeGoneDevices(trx, broadcastId, goneIds);
}

function changesCircuit(before: Broadcast, finished: readonly FinishedPush[], now: number): boolean {
  if (finished.some(({ result }) => result.state === "gone" || result.stop !== undefined)) return true;
  const { circuit, stop } = assessBroadcast(before, finished, now);
  const isSame = circuit.answers === before.answers && circuit.service_refusals === before.service_refusals;
  return !isSame || stop !== undefined;
}

/** Pauses a broadcast until an operator resumes it. Messages in flight finish. */
async function stopBroadcast(trx: Write, context: SettleContext, id: string, stop: Stop): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("broadcasts")
    .set({ state: "paused", hold: stop.by, hold_detail: stop.detail })
    .where("id", "=", id)
    .where("state", "in", MOVING_STATES)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const audit = createAudit({ newId: context.newId, clock: () => context.now });
  await audit(trx, SYSTEM, { action: "stop-broadcast", subject: id, outcome: "failed" });
}

/**
 * Finishes a broadcast without open deliveries. Gone devices of a broadcast with few answers are removed now,
 * unless none was accepted, which points to a fault of ours.
 */
export async function finishIfSettled(trx: Write, id: string, now: number): Promise<void> {
  const broadcast = await lockBroadcast(trx, id);
  const mayFinish = broadcast?.state === "sending" || broadcast?.state === "cancelled";
  if (!mayFinish || (await hasOpenJobs(trx, { table: "pushes", column: "broadcast_id", id }))) return;
  if (await hasOpenJobs(trx, { table: "platform_broadcasts", column: "id", id })) return;
  const finalState = broadcast.state === "cancelled" ? {} : ({ state: "finished", ...NO_HOLD } as const);
  await trx
    .updateTable("broadcasts")
    .set({ ...finalState, finished_at: now })
    .where("id", "=", id)
    .execute();
  const accepted = trx.selectFrom("pushes").where("broadcast_id", "=", id).where("state", "=", "accepted");
  if (!isCircuitOpen(broadcast) && (await hasRows(accepted))) await removeGoneDevices(trx, id);
}
