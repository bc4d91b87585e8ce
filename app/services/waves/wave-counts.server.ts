import type { Read } from "~/db/database.server";
import type { WaveInvitationState } from "~/db/tables/waves";

export type WaveCounts = Readonly<Record<WaveInvitationState, number>>;

/** Counts the invitations of a wave by their state, from one index. */
export async function countWave(read: Read, campaignId: string): Promise<WaveCounts> {
  const rows = await read
    .selectFrom("wave_invitations")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("campaign_id", "=", campaignId)
    .groupBy("state")
    .execute();
  return {
    reserved: 0,
    invited: 0,
    joined: 0,
    undeliverable: 0,
    ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
  };
}
