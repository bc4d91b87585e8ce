import type { Write } from "~/db/database.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { NewId } from "~/services/ids.server";
import { recordEndings } from "~/services/outreach/leases.server";
import type { Dialect } from "~/services/outreach/leases.server";
import { isOpen, isPassed, judge } from "./circuit";
import { forgetDevices } from "./devices-of.server";
import type { Ending } from "./ending";
import { hasOpenRows, lockBroadcast, openBroadcasts } from "./ledger.server";
import type { Broadcast, Claimed, OpenBroadcast } from "./ledger.server";

export interface Settled {
  readonly row: Claimed;
  readonly ending: Ending;
}

interface By {
  readonly owner: string;
  readonly dialect: Dialect;
  readonly newId: NewId;
  readonly now: number;
}

/**
 * Writes how a group of rows ended and what that means for their devices and broadcasts. May be run again.
 * @returns the broadcasts there is something to do for, as they are after it.
 */
export async function settle(trx: Write, by: By, group: readonly Settled[]): Promise<OpenBroadcast[]> {
  await recordEndings(trx, "pushes", by.owner, group, by.now);
  for (const [broadcastId, ended] of Map.groupBy(group, ({ row }) => row.broadcast_id)) {
    if (ended.some(({ ending }) => ending.state !== "accepted")) await learn(trx, by, broadcastId, ended);
    else await judgeTaken(trx, by, broadcastId, ended);
  }
  return openBroadcasts(trx);
}

/** The usual case: everything was accepted, and after the first hundred that teaches nothing. */
async function judgeTaken(trx: Write, by: By, broadcastId: string, ended: readonly Settled[]) {
  const { answers } = await trx
    .selectFrom("broadcasts")
    .select("answers")
    .where("id", "=", broadcastId)
    .executeTakeFirstOrThrow();
  if (!isPassed({ answers, refusals: 0 })) await learn(trx, by, broadcastId, ended);
}

async function learn(trx: Write, by: By, broadcastId: string, ended: readonly Settled[]): Promise<void> {
  const broadcast = await lockBroadcast(trx, by.dialect, broadcastId);
  if (!broadcast) return;
  const endings = ended.map(({ ending }) => ending);
  const judgement = judge(broadcast, endings);
  if (judgement.answers !== broadcast.answers) {
    await trx.updateTable("broadcasts").set(judgement).where("id", "=", broadcastId).execute();
  }
  const ours = endings.find((ending) => ending.stop)?.stop;
  const lastRefusal = endings.findLast(({ answer }) => answer === "refused")?.detail;
  if (ours) await stop(trx, by, broadcast, ours.by, ours.words);
  else if (isOpen(judgement) && lastRefusal !== undefined) {
    await stop(trx, by, broadcast, "refusals", lastRefusal);
  }
  if (!isPassed(judgement)) return;
  const gone = ended.flatMap(({ row, ending }) => (ending.state === "gone" ? [row.id] : []));
  if (!isPassed(broadcast)) await forgetDevices(trx, broadcastId);
  else if (gone.length > 0) await forgetDevices(trx, broadcastId, gone);
}

/** Nothing more begins until somebody lets it. What is in flight still ends. */
async function stop(
  trx: Write,
  by: By,
  { id }: Broadcast,
  stopped_by: Exclude<Broadcast["stopped_by"], "">,
  trouble: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("broadcasts")
    .set({ state: "paused", stopped_by, trouble })
    .where("id", "=", id)
    .where("state", "in", ["preparing", "sending"])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await recordAudit(trx, {
    ...{ id: by.newId(), at: by.now, actor: "system", action: "stop-broadcast", subject: id },
    ...{ outcome: "failed", network: "", requestId: "" },
  });
}

/** Ends a broadcast of which nothing is open any more. With few answers its gone devices are removed only now. */
export async function finishIfSettled(
  trx: Write,
  { dialect, now }: Pick<By, "dialect" | "now">,
  broadcastId: string,
): Promise<void> {
  const broadcast = await lockBroadcast(trx, dialect, broadcastId);
  const isMoving = broadcast?.state === "sending" || broadcast?.state === "cancelled";
  if (!isMoving || (await hasOpenRows(trx, broadcastId))) return;
  const over = broadcast.state === "cancelled" ? {} : ({ state: "finished", trouble: "" } as const);
  await trx
    .updateTable("broadcasts")
    .set({ ...over, finished_at: now })
    .where("id", "=", broadcastId)
    .execute();
  if (!isOpen(broadcast)) await forgetDevices(trx, broadcastId);
}
