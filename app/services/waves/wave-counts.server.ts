import type { Read } from "~/db/database.server";
import type { WaveInvitationState } from "~/db/tables/waves";
import { IS_ASKED } from "./wave-invitations.server";

export interface WaveCounts extends Readonly<Record<WaveInvitationState, number>> {
  /** Of these, who asked for a new link and have none yet. */
  readonly asked: number;
}

/** Counts the invitations of a wave by their state, each from one index. */
export async function countWave(read: Read, campaignId: string): Promise<WaveCounts> {
  const [rows, { asked }] = await Promise.all([
    read
      .selectFrom("wave_invitations")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where("campaign_id", "=", campaignId)
      .groupBy("state")
      .execute(),
    read
      .selectFrom("wave_invitations")
      .select(({ fn }) => fn.countAll<number>().as("asked"))
      .where("campaign_id", "=", campaignId)
      .where(IS_ASKED)
      .executeTakeFirstOrThrow(),
  ]);
  return {
    reserved: 0,
    invited: 0,
    joined: 0,
    undeliverable: 0,
    ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    asked,
  };
}
