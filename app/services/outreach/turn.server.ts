import type { Write } from "~/db/database.server";
import type { Holder } from "./leases.server";
import type { Claimed } from "./ledger.server";
import { claim } from "./ledger.server";
import { inTurn } from "./ledger-rounds.server";
import { finishIfSettled, mayGoOut } from "./sends.server";
import type { OpenSend } from "./sends.server";

/**
 * Claims up to `limit` rows for one round, from the send after the one that was served last and on from there, and
 * finishes sends of which nothing is open any more.
 */
export async function takeTurn(
  trx: Write,
  by: Holder,
  sends: readonly OpenSend[],
  { limit, servedLast, now }: { limit: number; servedLast: string; now: number },
): Promise<Claimed[]> {
  const due = sends.filter((send) => mayGoOut(send, now));
  const rows: Claimed[] = [];
  for (const send of inTurn(due, servedLast)) {
    if (rows.length >= limit) break;
    const claimed = await claim(trx, by, send.id, limit - rows.length, now);
    if (claimed.length === 0) await finishIfSettled(trx, by.dialect, send.id, now);
    rows.push(...claimed);
  }
  return rows;
}
