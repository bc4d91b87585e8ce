import type { Write } from "~/db/database.server";
import type { Ending } from "./ending";
import type { Claimed } from "./ledger.server";
import { recordEndings } from "./ledger.server";
import type { Outages } from "./outages";

export interface Settled {
  readonly row: Claimed;
  readonly ending: Ending;
}

/** Writes how a group of rows ended and what it means for their sends and addresses. May be run again. */
export async function settle(
  trx: Write,
  { owner, outages, now }: { owner: string; outages: Outages; now: number },
  group: readonly Settled[],
): Promise<void> {
  await recordEndings(
    trx,
    owner,
    group.map(({ row, ending }) => ({ id: row.id, ending })),
    now,
  );
  await suppressRefused(trx, group, now);
  for (const sendId of new Set(group.map(({ row }) => row.send_id))) {
    const endings = group.filter(({ row }) => row.send_id === sendId).map(({ ending }) => ending);
    await noteServer(trx, sendId, endings, outages, now);
  }
}

async function suppressRefused(trx: Write, group: readonly Settled[], now: number): Promise<void> {
  const refused = group.filter(({ ending }) => ending.suppress).map(({ row }) => row);
  if (refused.length === 0) return;
  await trx
    .insertInto("suppressions")
    .values(
      refused.map(({ id, email_key }) => ({
        email_key,
        reason: "refused" as const,
        delivery_id: id,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .execute();
}

/**
 * What rows taught about the mail server: a login it does not accept pauses the send until an admin goes on; a server
 * that cannot be reached makes the send wait; an answer to any recipient ends the trouble.
 */
async function noteServer(
  trx: Write,
  sendId: string,
  endings: Ending[],
  outages: Outages,
  now: number,
): Promise<void> {
  const troubles = endings.flatMap(({ server }) => (typeof server === "object" ? [server] : []));
  const unauthorized = troubles.find(({ trouble }) => trouble === "unauthorized");
  const unreachable = troubles.find(({ trouble }) => trouble === "unreachable");
  const answers = endings.some(({ server }) => server === "answers");
  const change = trx.updateTable("sends").where("id", "=", sendId).where("state", "=", "sending");

  if (answers) outages.over(sendId, now);
  if (unauthorized) {
    await change.set({ state: "paused", trouble: unauthorized.words }).execute();
  } else if (unreachable) {
    await change.set({ resume_at: outages.waitUntil(sendId, now), trouble: unreachable.words }).execute();
  } else if (answers) {
    // A mail that was under way when the server went away must not end the wait.
    await change.set({ trouble: "" }).where("trouble", "!=", "").where("resume_at", "<=", now).execute();
  }
}
