import type { Read, Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import type { Campaign } from "~/db/tables/outreach";
import type { PlanEnd } from "~/db/tables/waves";
import { getNextTime } from "~/lib/repeats";
import { createAudit, SYSTEM, type Actor } from "~/services/audit/audit.server";
import { canRepeat } from "~/services/outreach/audience.server";
import { findCampaign } from "~/services/outreach/campaign-lists.server";
import { getCampaignStats } from "~/services/outreach/campaign-stats.server";
import { lockCampaign } from "~/services/outreach/campaigns.server";
import { toDraftContent } from "~/services/outreach/drafts.server";
import type { Outreach } from "~/services/outreach/outreach.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endPlan, findPlan, toRepeatTime, type WavePlan } from "./wave-plan-rows.server";

/** A plan ends when more than this share of the last wave failed or came back. */
const MOST_BOUNCED = 0.05;
/**
 * People join, unsubscribe and are erased between the count of a wave and its confirmation, and operators change its
 * draft. It is then made again.
 */
const ATTEMPTS = 5;

/** Rolls the confirmation of a run back. */
class EndedPlanError extends Error {}

interface WavePlansDeps extends ServiceDeps {
  readonly outreach: Outreach;
}

/**
 * Repeats waves: at the time of a plan a copy of its last wave is confirmed, whose audience is chosen and frozen then. It
 * ends by itself. A run that was interrupted goes on with the same campaign, and of two instances that run one plan one
 * confirms.
 */
export function createWavePlans(deps: WavePlansDeps) {
  const { database, clock, newId, outreach } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    findPlan: (campaign: Campaign) => findPlan(read, campaign),

    /**
     * Runs the plans whose time has come, one after the other. One that was missed is run once, late.
     * @throws after the others when one fails, which is run again the next time.
     */
    async runDue(): Promise<void> {
      const due = read
        .selectFrom("wave_plans")
        .select("id")
        .where("next_at", "<=", clock())
        .orderBy("next_at");
      const failures: unknown[] = [];
      for (const id of await fetchIds(due)) await run(id).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },

    /**
     * Stops the repeating of a wave: the campaigns there are go on, and one that is being confirmed is dropped.
     * @returns whether it repeated until now.
     */
    stop: (campaignId: string, actor: Actor): Promise<boolean> =>
      database.write(async (trx) => {
        const campaign = await findCampaign(trx, campaignId);
        // Locked, for a run that is being confirmed makes itself the last wave.
        const plan = campaign?.plan_id ? await lockPlan(trx, campaign.plan_id) : undefined;
        return plan !== undefined && end(trx, plan, "stopped", actor);
      }),
  };

  async function run(id: string): Promise<void> {
    const begun = await database.write((trx) => begin(trx, id));
    if (!begun) return;
    const { plan, runId, last } = begun;
    const ended = await confirm(plan, runId, last);
    if (ended === undefined) return;
    await outreach.discardDraft(runId);
    await database.write((trx) => end(trx, plan, ended, SYSTEM));
  }

  /**
   * Begins the next wave of a plan, or goes on with one that was interrupted. A plan whose last wave is still being sent
   * leaves this time out.
   * @returns undefined when there is none to confirm.
   */
  async function begin(trx: Write, id: string) {
    const plan = await lockPlan(trx, id);
    if (!plan || plan.next_at === null || plan.next_at > clock()) return undefined;
    const last = await findCampaign(trx, plan.last_id);
    const ended = last ? await getEnd(trx, last) : "cancelled";
    if (!last || ended !== undefined) {
      await end(trx, plan, ended ?? "cancelled", SYSTEM);
      return undefined;
    }
    if (last.state !== "finished") {
      await update(trx, plan, { next_at: getTimeAfter(plan) });
      return undefined;
    }
    const runId = plan.run_id ?? newId();
    await update(trx, plan, { run_id: runId });
    return { plan, runId, last };
  }

  /**
   * Confirms the next wave, unless another instance just did; one that could not be confirmed for other changes is tried
   * again by the next `runDue`. @returns why there will be none, if so.
   */
  async function confirm(plan: WavePlan, runId: string, last: Campaign): Promise<PlanEnd | undefined> {
    const content = toDraftContent(last);
    const saved = { ...content, templateId: last.template_id };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const known = await findCampaign(read, runId);
      if (known && known.state !== "draft") {
        await database.write((trx) => adopt(trx, plan.id, runId));
        return undefined;
      }
      // Overwrites an operator's edits and restores a discarded draft.
      const saving = await outreach.saveDraft({ ...saved, id: runId, createdBy: plan.created_by });
      // Another instance confirmed it since, and this is a copy.
      if (saving.ok && saving.id !== runId) await outreach.discardDraft(saving.id);
      const draft = await findCampaign(read, runId);
      if (draft?.state !== "draft") continue;
      // Not what the draft has, which may be another text by now.
      const { reviewed } = await outreach.getPreflight({
        ...content,
        id: runId,
        template_id: draft.template_id,
      });
      if (reviewed.counted === 0) return "empty";
      const options = { campaignId: runId, reviewed, paceMs: last.pace_ms, remindMs: last.remind_ms };
      const repeating = outreach.repeat(options, (trx, contentHash) =>
        recordRun(trx, plan.id, { runId, contentHash }),
      );
      const outcome = await repeating.catch((error: unknown) => {
        if (error instanceof EndedPlanError) return undefined;
        throw error;
      });
      if (!outcome) return "stopped";
      if (outcome.ok) return undefined;
      if (outcome.error === "no-recipients") return "empty";
      if (outcome.error === "not-sendable") return "unsendable";
    }
    return undefined;
  }

  /**
   * Records in the transaction of a run's confirmation that it is the last wave.
   * @throws EndedPlanError when the plan ended since the run began, so that nothing is confirmed.
   */
  async function recordRun(
    trx: Write,
    id: string,
    { runId, contentHash }: { runId: string; contentHash: string },
  ): Promise<void> {
    const plan = await lockPlan(trx, id);
    if (!plan || plan.next_at === null || plan.run_id !== runId) throw new EndedPlanError();
    await moveOn(trx, plan, runId);
    await audit(trx, SYSTEM, { action: "repeat-wave", subject: runId, contentHash });
  }

  /** Takes a run that an operator confirmed by hand as the last wave. One that the plan confirmed is that already. */
  async function adopt(trx: Write, id: string, runId: string): Promise<void> {
    // The campaign first, as its transitions lock.
    const run = await lockCampaign(trx, runId);
    const plan = await lockPlan(trx, id);
    if (!run || run.state === "draft" || plan?.run_id !== runId) return;
    // It is something else now, or has a plan of its own.
    if (!canRepeat(run) || run.plan_id !== null) await end(trx, plan, "edited", SYSTEM);
    else await moveOn(trx, plan, runId);
  }

  /** Makes a campaign the last wave of a plan. */
  async function moveOn(trx: Write, plan: WavePlan, runId: string): Promise<void> {
    await update(trx, plan, { last_id: runId, run_id: null, next_at: getTimeAfter(plan) });
    await trx.updateTable("campaigns").set({ plan_id: plan.id }).where("id", "=", runId).execute();
  }

  function getTimeAfter(plan: WavePlan): number {
    return getNextTime(toRepeatTime(plan), plan.next_at ?? clock(), clock());
  }

  async function end(trx: Write, { last_id }: WavePlan, reason: PlanEnd, actor: Actor): Promise<boolean> {
    const hasEnded = await endPlan(trx, last_id, reason);
    if (hasEnded) await audit(trx, actor, { action: "stop-repeating-wave", subject: last_id });
    return hasEnded;
  }
}

/** Returns why a plan ends after this wave; undefined when it goes on. */
async function getEnd(read: Read, last: Campaign): Promise<PlanEnd | undefined> {
  if (last.state === "cancelled") return "cancelled";
  if (last.state === "draft") return "edited";
  if (last.state === "paused" && last.hold === "refusals") return "refused";
  const { sent, failed, uncertain, returned } = await getCampaignStats(read, last.id);
  const attempted = sent + failed + uncertain;
  return failed + returned.bounced > attempted * MOST_BOUNCED ? "bounced" : undefined;
}

/** Reads a plan and locks its row until the transaction ends. */
const lockPlan = (trx: Write, id: string): Promise<WavePlan | undefined> =>
  trx.selectFrom("wave_plans").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** Changes a plan that has not ended. */
const update = (trx: Write, { id }: WavePlan, changes: Partial<WavePlan>) =>
  trx.updateTable("wave_plans").set(changes).where("id", "=", id).where("next_at", "is not", null).execute();
