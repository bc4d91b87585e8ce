import type { Database } from "~/db/database.server";
import type { WaveInvitationState } from "~/db/tables/waves";
import { isListed } from "~/services/people/people-match.server";
import { IS_ASKED } from "./wave-invitations.server";

export interface WaveCounts extends Readonly<Record<WaveInvitationState, number>> {
  /** Of these, who asked for a new link and have none yet. */
  readonly asked: number;
}

/**
 * Counts the people of a wave by the state of their invitation, as the list of people has them: without whoever has no
 * accepted form now, such as in the minutes in which a deletion can be undone.
 */
export async function countWave(
  { longRead }: Pick<Database, "longRead">,
  campaignId: string,
): Promise<WaveCounts> {
  const ofWave = longRead.selectFrom("wave_invitations").where("campaign_id", "=", campaignId);
  const [all, unlisted, { asked }] = await Promise.all([
    ofWave
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .groupBy("state")
      .execute(),
    // Looked up one by one, because they are few; everybody of a wave may be a million. SQLite executes a cross join as written.
    longRead
      .selectFrom("people")
      .crossJoin("wave_invitations")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where(isListed({ form: "none" }, { hidden: false }))
      .whereRef("person_id", "=", "people.id")
      .where("campaign_id", "=", campaignId)
      .groupBy("state")
      .execute(),
    ofWave
      .innerJoin("people", "people.id", "person_id")
      .select(({ fn }) => fn.countAll<number>().as("asked"))
      .where(IS_ASKED)
      .where(isListed({}, { hidden: true }))
      .executeTakeFirstOrThrow(),
  ]);
  const counts = { reserved: 0, invited: 0, joined: 0, undeliverable: 0 };
  for (const { state, count } of all) counts[state] += count;
  for (const { state, count } of unlisted) counts[state] -= count;
  return { ...counts, asked };
}
