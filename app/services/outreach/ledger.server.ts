import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { DeliveriesTable } from "~/db/tables/outreach";
import { IS_DUE, orphaned, takeMails, unseenText } from "./leases.server";
import type { Holder, TakenMail } from "./leases.server";

/** The ledger of outreach as a queue of mails: leases.server says what a claim is. */

const CLAIMED_COLUMNS = [
  "id",
  "send_id",
  "address",
  "email_key",
  "name",
  "message_id",
  "detail",
  "attempts",
  "resent_after_crash",
  "not_before",
  // Of a row that was just claimed: when.
  "updated_at",
] as const;
export type Claimed = TakenMail<DeliveriesTable, (typeof CLAIMED_COLUMNS)[number]>;

const LEDGER = { queue: "deliveries", columns: CLAIMED_COLUMNS } as const;

/** Claims up to `limit` due rows of a send: due retries first, then first tries in the order of signup. */
export function claim(
  trx: Write,
  by: Holder,
  sendId: string,
  limit: number,
  now: number,
): Promise<Claimed[]> {
  const which = sql<boolean>`send_id = ${unseenText(sendId)} and ${IS_DUE} and not_before <= ${now}`;
  return takeMails(trx, by, LEDGER, { which, limit, now });
}

/** Claims rows whose owner is gone. See orphaned. */
export function takeOver(
  trx: Write,
  by: Holder,
  whose: { held: readonly string[]; earlierLives: boolean; limit: number; now: number },
): Promise<Claimed[]> {
  const { limit, now } = whose;
  return takeMails(trx, by, LEDGER, { which: orphaned(by, whose), limit, now });
}
