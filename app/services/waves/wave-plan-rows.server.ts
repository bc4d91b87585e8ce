import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { Campaign } from "~/db/tables/outreach";
import type { PlanEnd, WavePlansTable } from "~/db/tables/waves";
import { getMinuteOfDay, getNextTime, type Repeats, type RepeatTime } from "~/lib/repeats";
import { toKnownZone } from "~/lib/zoned-time";

export type WavePlan = Selectable<WavePlansTable>;

/** How often a wave repeats that is being confirmed; at the time of day at which it begins, in this zone. */
export interface Repeating {
  readonly repeats: Repeats;
  readonly timeZone: string;
}

export const toRepeatTime = ({ repeats, minute, time_zone }: WavePlan): RepeatTime => ({
  repeats,
  minute,
  timeZone: toKnownZone(time_zone),
});

/** Makes a campaign that is confirmed in this transaction the first wave of a plan. */
export async function startPlan(
  trx: Write,
  { id, campaignId, by }: { readonly id: string; readonly campaignId: string; readonly by: string },
  { repeats, timeZone }: Repeating,
  { beginsAt, now }: { readonly beginsAt: number; readonly now: number },
): Promise<void> {
  const minute = getMinuteOfDay(beginsAt, timeZone);
  await trx
    .insertInto("wave_plans")
    .values({
      id,
      repeats,
      minute,
      time_zone: timeZone,
      next_at: getNextTime({ repeats, minute, timeZone }, beginsAt, beginsAt),
      run_id: null,
      last_id: campaignId,
      created_by: by,
      created_at: now,
    })
    .execute();
  await trx.updateTable("campaigns").set({ plan_id: id }).where("id", "=", campaignId).execute();
}

/** Gives the later waves of a plan the time of day at which its last wave begins, if that is this one. */
export async function movePlan(
  trx: Write,
  { id, plan_id }: Pick<Campaign, "id" | "plan_id">,
  beginsAt: number,
): Promise<void> {
  const plan = await findPlan(trx, { plan_id });
  if (!plan) return;
  const { repeats, timeZone } = toRepeatTime(plan);
  const minute = getMinuteOfDay(beginsAt, timeZone);
  await trx
    .updateTable("wave_plans")
    .set({ minute, next_at: getNextTime({ repeats, minute, timeZone }, beginsAt, beginsAt) })
    .where("last_id", "=", id)
    .where("next_at", "is not", null)
    .execute();
}

/** Ends the plan whose last wave this is. @returns whether it repeated until now. */
export async function endPlan(trx: Write, lastId: string, ended: PlanEnd): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("wave_plans")
    .set({ ended, next_at: null, run_id: null })
    .where("last_id", "=", lastId)
    .where("next_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all plans. @returns how many ended for this reason, by this call or an earlier one. */
export async function endAllPlans(trx: Write, ended: PlanEnd): Promise<number> {
  await trx
    .updateTable("wave_plans")
    .set({ ended, next_at: null, run_id: null })
    .where("next_at", "is not", null)
    .execute();
  const { count } = await trx
    .selectFrom("wave_plans")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("ended", "=", ended)
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds the plan of a wave; undefined when it does not repeat. */
export async function findPlan(
  read: Read,
  { plan_id }: Pick<Campaign, "plan_id">,
): Promise<WavePlan | undefined> {
  if (plan_id === null) return undefined;
  return read.selectFrom("wave_plans").selectAll().where("id", "=", plan_id).executeTakeFirst();
}
