import type { ExpressionBuilder, Expression, SqlBool } from "kysely";
import type { Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { ServiceDeps } from "~/services/service-deps";
import { reserveAgain } from "~/services/waves/wave-deliveries.server";
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

type Deps = Pick<ServiceDeps, "database" | "clock" | "newId">;

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
  { database, clock, newId }: Deps,
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
      const now = clock();
      const rows = await trx
        .updateTable("deliveries")
        .set({ ...CORRECTIONS[decision], updated_at: now })
        .where("id", "in", (db) =>
          db
            .selectFrom("deliveries")
            .select("id")
            .where("campaign_id", "=", campaignId)
            .where(filter)
            .limit(CHUNK),
        )
        // Again: PostgreSQL checks this, and not the subquery, once it has waited for another write of the row.
        .where(filter)
        .returning("email_key")
        .execute();
      if (rows.length > 0 && changed === 0) await recordAudit(trx);
      if (decision === "resend" && campaign.wave !== null) {
        // A failed email has returned its reservation.
        const emailKeys = rows.map(({ email_key }) => email_key);
        await reserveAgain(trx, { campaignId, emailKeys }, { newId, now });
      }
      // Requeued rows are open again, and a finished campaign has none.
      if (rows.length > 0 && decision === "resend" && campaign.state === "finished") {
        await trx
          .updateTable("campaigns")
          .set({ state: "sending", finished_at: null, latest_answers: "" })
          .where("id", "=", campaignId)
          .execute();
      }
      return { ok: true, changed: rows.length };
    });
    if (!batch.ok) return batch;
    changed += batch.changed;
    if (batch.changed < CHUNK) return { ok: true, changed };
  }
}
