import type { Write } from "~/db/database.server";
import { suppressRefused } from "~/services/suppressions/suppressions.server";
import type { Ending } from "./ending";
import { recordEndings } from "./leases.server";
import type { Claimed } from "./ledger.server";
import type { Outages } from "./outages";
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
  { owner, outages, now }: { owner: string; outages: Outages; now: number },
  group: readonly Settled[],
): Promise<OpenSend[]> {
  await recordEndings(trx, "deliveries", owner, group, now);
  const refused = group.filter(({ ending }) => ending.suppress);
  await suppressRefused(
    trx,
    refused.map(({ row }) => ({ email_key: row.email_key, delivery_id: row.id })),
    now,
  );
  const sends = await openSends(trx);
  let changed = false;
  for (const send of sends) {
    const endings = group.filter(({ row }) => row.send_id === send.id).map(({ ending }) => ending);
    const change = changeBy(send, endings, outages, now);
    if (!change) continue;
    changed = true;
    await trx
      .updateTable("sends")
      .set(change)
      .where("id", "=", send.id)
      .where("state", "=", "sending")
      .execute();
  }
  return changed ? openSends(trx) : sends;
}

/**
 * What rows taught about the mail server: a login it does not accept pauses the send until an admin goes on; a server
 * that cannot be reached makes the send wait; an answer to any recipient ends the trouble.
 */
function changeBy(send: OpenSend, endings: readonly Ending[], outages: Outages, now: number) {
  const troubles = endings.flatMap(({ server }) => (typeof server === "object" ? [server] : []));
  const unauthorized = troubles.find(({ trouble }) => trouble === "unauthorized");
  const unreachable = troubles.find(({ trouble }) => trouble === "unreachable");
  const answers = endings.some(({ server }) => server === "answers");

  if (answers) outages.over(send.id, now);
  if (unauthorized) return { state: "paused", trouble: unauthorized.words } as const;
  if (unreachable) return { resume_at: outages.waitUntil(send.id, now), trouble: unreachable.words };
  // A mail that was under way when the server went away does not end the wait.
  if (answers && send.trouble && send.resume_at <= now) return { trouble: "" };
  return undefined;
}
