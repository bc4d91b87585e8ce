import type { Write } from "~/db/database.server";
import type { Finished, JobResult } from "~/services/queue/job-type";
import type { NewId } from "~/services/service-deps";
import { suppress } from "~/services/suppressions/suppressions.server";
import type { Mailer } from "../mailer";
import type { DailyAllowance } from "./daily-allowance.server";
import { recoveredResult, type DeliveryResult } from "./delivery-result";

/** Refunds emails that were not attempted to the day each was counted on. `updated_at` is the time of the claim. */
export async function refundUntried(
  trx: Write,
  allowance: DailyAllowance,
  finished: readonly Finished<{ readonly updated_at: number }, JobResult>[],
): Promise<void> {
  const untried = finished.filter(({ result }) => result.isUntried);
  await allowance.refund(
    trx,
    untried.map(({ row }) => row.updated_at),
  );
}

/**
 * Suppresses the recipients whose mail server said that the mailbox does not exist (refusal.ts).
 * @param emails `deliveryId`: the campaign's delivery, null for any other email.
 */
export async function suppressRefused(
  trx: Write,
  { newId, now }: { newId: NewId; now: number },
  emails: readonly Finished<
    { readonly address: string; readonly deliveryId: string | null },
    DeliveryResult
  >[],
): Promise<void> {
  const refused = emails
    .filter(({ result }) => result.suppress)
    .map(({ row, result }) => ({ address: row.address, detail: result.detail, deliveryId: row.deliveryId }));
  await suppress(trx, newId, "refused", refused, now);
}

/**
 * Returns the results of emails that were claimed when their instance died: the mailer is asked which of them it
 * handed over, so that one that it certainly did not is sent without a duplicate. None is refunded to the day's allowance.
 * @param options.mayResend whether one that may have arrived is sent again (docs/decisions/0005).
 */
export function recoverEmails<Row extends Parameters<typeof recoveredResult>[0] & { message_id: string }>(
  rows: readonly Row[],
  options: { mailer: Mailer; mayResend: (row: Row) => boolean; now: number },
): Promise<Finished<Row, DeliveryResult>[]> {
  const { mailer, mayResend, now } = options;
  return Promise.all(
    rows.map(async (row) => {
      const known = await mailer.knows(row.message_id);
      return { row, result: recoveredResult(row, { known, mayResend: mayResend(row), now }) };
    }),
  );
}
