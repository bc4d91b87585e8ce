import type { Write } from "~/db/database.server";
import { suppress } from "~/services/suppressions/suppressions.server";
import type { NewId } from "~/services/ids.server";
import type { Ending } from "./ending";
import { isRefusedByNearlyAll, refusalsIn } from "./latest-answers";
import { recordEndings } from "./leases.server";
import type { Dialect } from "./leases.server";
import type { Claimed } from "./ledger.server";
import type { Outages } from "./outages";
import { blamed, latestAnswersAfter, liftGuesses } from "./refusal-burst.server";
import type { OpenSend } from "./sends.server";
import { openSends } from "./sends.server";

export interface Settled {
  readonly row: Claimed;
  readonly ending: Ending;
}

/**
 * Writes how a group of rows ended and what that means for their addresses and sends. May be run again.
 * @returns the sends there is something to do for, as they are after it.
 */
export async function settle(
  trx: Write,
  by: { owner: string; dialect: Dialect; newId: NewId; outages: Outages; now: number },
  group: readonly Settled[],
): Promise<OpenSend[]> {
  const { owner, dialect, newId, outages, now } = by;
  await recordEndings(trx, "deliveries", owner, group, now);
  const sends = await openSends(trx);
  let changed = false;
  for (const send of sends) {
    const endings = group.filter(({ row }) => row.send_id === send.id).map(({ ending }) => ending);
    const latest_answers = await latestAnswersAfter(trx, dialect, send, endings);
    const change = changeBy(send, { endings, latest_answers }, outages, now);
    if (!change) continue;
    changed = true;
    const { numUpdatedRows } = await trx
      .updateTable("sends")
      .set({ ...change, ...(latest_answers !== send.latest_answers && { latest_answers }) })
      .where("id", "=", send.id)
      .where("state", "in", ["preparing", "sending"])
      .executeTakeFirst();
    const isStopped = change.waits_for === "refusals" && numUpdatedRows === 1n;
    if (isStopped) await liftGuesses(trx, send.id, refusalsIn(latest_answers));
  }
  const refused = await blamed(trx, group);
  await suppress(
    trx,
    newId,
    "refused",
    refused.map(({ row, ending }) => ({ address: row.address, detail: ending.detail, deliveryId: row.id })),
    now,
  );
  return changed ? openSends(trx) : sends;
}

/**
 * What rows taught about the mail server: a login it does not accept, or one that refuses nearly everybody, pauses the
 * send until an admin goes on; a server that cannot be reached makes the send wait; an answer to any recipient ends the
 * trouble.
 */
function changeBy(
  send: OpenSend,
  { endings, latest_answers }: { endings: readonly Ending[]; latest_answers: number },
  outages: Outages,
  now: number,
): Partial<Pick<OpenSend, "state" | "trouble" | "waits_for" | "resume_at">> | undefined {
  const troubles = endings.flatMap(({ server }) => (typeof server === "object" ? [server] : []));
  const unauthorized = troubles.find(({ trouble }) => trouble === "unauthorized");
  const unreachable = troubles.find(({ trouble }) => trouble === "unreachable");
  const answers = endings.some(({ server }) => server === "answers" || server === "refuses");
  const refusal = endings.findLast(({ server }) => server === "refuses");

  if (answers) outages.over(send.id, now);
  if (unauthorized) return { state: "paused", trouble: unauthorized.words };
  if (refusal && isRefusedByNearlyAll(latest_answers)) {
    return { state: "paused", waits_for: "refusals", trouble: refusal.detail };
  }
  if (unreachable) return { resume_at: outages.waitUntil(send.id, now), trouble: unreachable.words };
  // A mail that was under way when the server went away does not end the wait.
  if (answers && send.trouble && send.resume_at <= now) return { trouble: "" };
  return latest_answers === send.latest_answers ? undefined : {};
}
