import type { ExpressionBuilder, Expression, SqlBool } from "kysely";
import type { Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { ServiceDeps } from "~/services/service-deps";
import { CHUNK } from "./audience.server";
import { lockCampaign } from "./campaigns.server";

const CORRECTIONS = {
  /** Starts over with the same Message-ID. */
  resend: { state: "pending", detail: "", attempts: 0, resent_after_crash: 0, not_before: 0 },
  "count-as-sent": { state: "sent", detail: "counted as sent" },
} as const;

export type Decision = keyof typeof CORRECTIONS;

/** "cancelled": a cancelled campaign sends nothing. */
type Correction = { ok: true; changed: number } | { ok: false; error: "unknown-campaign" | "cancelled" };

type Deps = Pick<ServiceDeps, "database" | "clock">;

/** Writes the audit entry, in the transaction of the first write that changes a row. */
type RecordAudit = (trx: Write) => Promise<void>;

/** Settles the uncertain deliveries of a campaign. */
export function decideUncertain(
  deps: Deps,
  campaignId: string,
  decision: Decision,
  recordAudit: RecordAudit,
): Promise<Correction> {
  return correct(deps, campaignId, (row) => row("state", "=", "uncertain"), decision, recordAudit);
}

/**
 * Requeues the failed deliveries with their attempts reset. Suppressed addresses are left unchanged, with the
 * mail server's reply and their attempts.
 * @returns `suppressed`: how many stay failed, because their address is on the suppression list.
 */
export async function retryFailed(deps: Deps, campaignId: string, recordAudit: RecordAudit) {
  const filter = (row: Row) => row.and([row("state", "=", "failed"), row.not(isSuppressed(row))]);
  const outcome = await correct(deps, campaignId, filter, "resend", recordAudit);
  if (!outcome.ok) return outcome;
  const suppressed = deps.database.read
    .selectFrom("deliveries")
    .where("campaign_id", "=", campaignId)
    .where((row) => row.and([row("state", "=", "failed"), isSuppressed(row)]));
  return { ...outcome, suppressed: await countRows(suppressed) };
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
  decision: Decision,
  recordAudit: RecordAudit,
): Promise<Correction> {
  let changed = 0;
  for (;;) {
    const batch = await database.write(async (trx): Promise<Correction> => {
      const campaign = await lockCampaign(trx, campaignId);
      if (!campaign || campaign.state === "draft") return { ok: false, error: "unknown-campaign" };
      if (campaign.state === "cancelled" && decision === "resend") return { ok: false, error: "cancelled" };
      const { numUpdatedRows } = await trx
        .updateTable("deliveries")
        .set({ ...CORRECTIONS[decision], updated_at: clock() })
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
      if (numUpdatedRows > 0n && decision === "resend" && campaign.state === "finished") {
        await trx
          .updateTable("campaigns")
          .set({ state: "sending", finished_at: null, latest_answers: "" })
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
