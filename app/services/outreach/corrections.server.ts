import type { ExpressionBuilder, Expression, SqlBool } from "kysely";
import type { Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { ServiceDeps } from "~/services/service-deps";
import { CHUNK } from "./audience.server";
import { lockCampaign } from "./campaigns.server";

/** resend: starts over with the same Message-ID. */
export type Decision = "resend" | "count-as-sent";

/** "cancelled": a cancelled campaign sends nothing. */
export type Correction =
  { ok: true; changed: number } | { ok: false; error: "unknown-campaign" | "cancelled" };

type Deps = Omit<ServiceDeps, "newId">;

/** Writes the audit entry, in the transaction of the first write that changes a row. */
type RecordAudit = (trx: Write) => Promise<void>;

/** Settles uncertain deliveries: one, or without `deliveryId` all of the campaign. */
export function decideUncertain(
  deps: Deps,
  options: { campaignId: string; deliveryId?: string | undefined; decision: Decision },
  recordAudit: RecordAudit,
): Promise<Correction> {
  const { campaignId, deliveryId, decision } = options;
  const filter = (row: Row) =>
    row.and([row("state", "=", "uncertain"), ...(deliveryId ? [row("id", "=", deliveryId)] : [])]);
  return correct(deps, campaignId, filter, decision === "resend" ? "again" : "as-sent", recordAudit);
}

/** `suppressed`: failed deliveries that stay failed, because their address is on the suppression list. */
export type Retry =
  { ok: true; changed: number; suppressed: number } | { ok: false; error: "unknown-campaign" | "cancelled" };

/**
 * Requeues the failed deliveries with their attempts reset. Suppressed addresses are left unchanged, with the
 * mail server's reply and their attempts.
 */
export async function retryFailed(deps: Deps, campaignId: string, recordAudit: RecordAudit): Promise<Retry> {
  const outcome = await correct(
    deps,
    campaignId,
    (row) => row.and([row("state", "=", "failed"), row.not(isSuppressed(row))]),
    "again",
    recordAudit,
  );
  if (!outcome.ok) return outcome;
  const suppressed = deps.database.read
    .selectFrom("deliveries")
    .where("campaign_id", "=", campaignId)
    .where((row) => row.and([row("state", "=", "failed"), isSuppressed(row)]));
  return { ok: true, changed: outcome.changed, suppressed: await countRows(suppressed) };
}

function isSuppressed(row: Row) {
  return row.exists(
    row
      .selectFrom("suppressions")
      .select("suppressions.email_key")
      .whereRef("suppressions.email_key", "=", "deliveries.email_key"),
  );
}

type Row = ExpressionBuilder<Tables, "deliveries">;

/** Corrects rows in batches, so that no write takes long. A second call completes an interrupted one. */
async function correct(
  { database, clock }: Deps,
  campaignId: string,
  filter: (row: Row) => Expression<SqlBool>,
  correction: keyof typeof CORRECTIONS,
  recordAudit: RecordAudit,
): Promise<Correction> {
  let changed = 0;
  for (;;) {
    const batch = await database.write(async (trx): Promise<Correction> => {
      const campaign = await lockCampaign(trx, campaignId);
      if (!campaign || campaign.state === "draft") return { ok: false, error: "unknown-campaign" };
      if (campaign.state === "cancelled" && correction === "again") return { ok: false, error: "cancelled" };
      const { numUpdatedRows } = await trx
        .updateTable("deliveries")
        .set({ ...CORRECTIONS[correction], updated_at: clock() })
        .where("id", "in", (db) =>
          db
            .selectFrom("deliveries")
            .select("id")
            .where("campaign_id", "=", campaignId)
            .where(filter)
            .limit(CHUNK),
        )
        .executeTakeFirst();
      if (numUpdatedRows > 0n && changed === 0) await recordAudit(trx);
      // Requeued rows are open again, and a finished campaign has none.
      if (numUpdatedRows > 0n && correction === "again" && campaign.state === "finished") {
        await trx
          .updateTable("campaigns")
          .set({ state: "sending", finished_at: null, latest_answers: 0 })
          .where("id", "=", campaignId)
          .execute();
      }
      return { ok: true, changed: Number(numUpdatedRows) };
    });
    if (!batch.ok) return batch;
    changed += batch.changed;
    if (batch.changed < CHUNK) return { ok: true, changed };
  }
}

const CORRECTIONS = {
  again: { state: "pending", detail: "", attempts: 0, resent_after_crash: 0, not_before: 0 },
  "as-sent": { state: "sent", detail: "counted as sent" },
} as const;
