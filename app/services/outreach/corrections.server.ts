import type { ExpressionBuilder, Expression, SqlBool } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { Clock } from "~/services/clock";
import { CHUNK } from "./audience.server";
import { lockCampaign } from "./campaigns.server";

/** resend: with the same Message-ID, as if never tried. */
export type Decision = "resend" | "count-as-sent";

/** "cancelled": nothing of a cancelled campaign is sent any more. */
export type Correction =
  { ok: true; changed: number } | { ok: false; error: "unknown-campaign" | "cancelled" };

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Goes with the first write that changes something: who did it, for the audit. */
type RecordAction = (trx: Write) => Promise<void>;

/** Settles rows of which nobody knows whether they arrived: one, or all of the campaign. */
export function decideUncertain(
  deps: Deps,
  {
    campaignId,
    deliveryId,
    decision,
  }: { campaignId: string; deliveryId?: string | undefined; decision: Decision },
  recordAction: RecordAction,
): Promise<Correction> {
  const which = (row: Row) =>
    row.and([row("state", "=", "uncertain"), ...(deliveryId ? [row("id", "=", deliveryId)] : [])]);
  return correct(deps, campaignId, which, decision === "resend" ? "again" : "as-sent", recordAction);
}

/** `suppressed`: how many stay failed, because their address is on the suppression list. */
export type Retry =
  { ok: true; changed: number; suppressed: number } | { ok: false; error: "unknown-campaign" | "cancelled" };

/**
 * Tries the failed rows again from the start. Those whose address is on the suppression list stay as they are, with the mail
 * server's words and their attempts.
 */
export async function retryFailed(deps: Deps, campaignId: string, recordAudit: RecordAction): Promise<Retry> {
  const outcome = await correct(
    deps,
    campaignId,
    (row) => row.and([row("state", "=", "failed"), row.not(isSuppressed(row))]),
    "again",
    recordAudit,
  );
  if (!outcome.ok) return outcome;
  const { suppressed } = await deps.database.read
    .selectFrom("deliveries")
    .select(({ fn }) => fn.countAll<number>().as("suppressed"))
    .where("campaign_id", "=", campaignId)
    .where((row) => row.and([row("state", "=", "failed"), isSuppressed(row)]))
    .executeTakeFirstOrThrow();
  return { ok: true, changed: outcome.changed, suppressed };
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

/** In pieces, so that no write holds the process for long; stopped half way, asking again does the rest. */
async function correct(
  { database, clock }: Deps,
  campaignId: string,
  which: (row: Row) => Expression<SqlBool>,
  how: "again" | "as-sent",
  recordAction: RecordAction,
): Promise<Correction> {
  let changed = 0;
  for (;;) {
    const piece = await database.write(async (trx): Promise<Correction> => {
      const campaign = await lockCampaign(trx, database.dialect, campaignId);
      if (!campaign || campaign.state === "draft") return { ok: false, error: "unknown-campaign" };
      if (campaign.state === "cancelled" && how === "again") return { ok: false, error: "cancelled" };
      const rows = await changeRows(trx, campaignId, which, how, clock());
      if (rows > 0 && changed === 0) await recordAction(trx);
      // Finished means that nothing is open: the campaign goes on.
      if (rows > 0 && how === "again" && campaign.state === "finished") {
        await trx
          .updateTable("campaigns")
          .set({ state: "sending", finished_at: null, latest_answers: 0 })
          .where("id", "=", campaignId)
          .execute();
      }
      return { ok: true, changed: rows };
    });
    if (!piece.ok) return piece;
    changed += piece.changed;
    if (piece.changed < CHUNK) return { ok: true, changed };
  }
}

async function changeRows(
  trx: Write,
  campaignId: string,
  which: (row: Row) => Expression<SqlBool>,
  how: "again" | "as-sent",
  now: number,
): Promise<number> {
  const change =
    how === "again"
      ? { state: "pending" as const, attempts: 0, resent_after_crash: 0 as const, not_before: 0 }
      : { state: "sent" as const };
  const { numUpdatedRows } = await trx
    .updateTable("deliveries")
    .set({ ...change, detail: how === "again" ? "" : "counted as sent", updated_at: now })
    .where("id", "in", (db) =>
      db
        .selectFrom("deliveries")
        .select("id")
        .where("campaign_id", "=", campaignId)
        .where(which)
        .limit(CHUNK),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
