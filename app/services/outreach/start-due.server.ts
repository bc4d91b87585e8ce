import type { Write } from "~/db/database.server";
import { isMissed, isPlanned } from "./plan";
import type { OpenSend } from "./sends.server";

/**
 * Begins the sends whose hold or schedule is over, or pauses one that missed its time. Before it has begun nobody gets a
 * mail of a send, so that a cancel which came first holds on every instance.
 * @returns the sends as they are after it.
 */
export async function startDue(trx: Write, sends: readonly OpenSend[], now: number): Promise<OpenSend[]> {
  const after: OpenSend[] = [];
  for (const send of sends) {
    const isMoving = send.state === "preparing" || send.state === "sending";
    const isDue = isMoving && isPlanned(send) && send.resume_at <= now;
    if (!isDue) {
      after.push(send);
      continue;
    }
    const missed = isMissed(send, now);
    const { numUpdatedRows } = await trx
      .updateTable("sends")
      .set(missed ? { state: "paused", waits_for: "missed" } : { waits_for: "" })
      .where("id", "=", send.id)
      // An operator or another instance may have been quicker.
      .where("state", "=", send.state)
      .where("waits_for", "=", send.waits_for)
      .where("resume_at", "=", send.resume_at)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && !missed) after.push({ ...send, waits_for: "" });
  }
  return after;
}
