import type { Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import type { WaveInvitationsTable, WaveInvitationState } from "~/db/tables/waves";
import type { Selectable } from "kysely";

export type WaveInvitation = Selectable<WaveInvitationsTable>;

/** The first outweighs the next, where two people become one. */
const BY_WEIGHT: readonly WaveInvitationState[] = ["joined", "invited", "undeliverable", "reserved"];

/** Returns which of the invitations of two people that are merged stays: what is further on, else the older. */
function chooseKept(invitations: readonly WaveInvitation[]): WaveInvitation | undefined {
  return invitations.toSorted(
    (a, b) => BY_WEIGHT.indexOf(a.state) - BY_WEIGHT.indexOf(b.state) || (a.id < b.id ? -1 : 1),
  )[0];
}

const lockInvitations = (trx: Write, personIds: readonly string[]): Promise<WaveInvitation[]> =>
  trx
    .selectFrom("wave_invitations")
    .selectAll()
    .where("person_id", "in", personIds)
    .orderBy("id")
    .forUpdate()
    .execute();

/**
 * Gives the kept person of a merge the one invitation of the two that stays, before the other person goes.
 * @returns both as they were, for `restoreInvitations`.
 */
export async function mergeInvitations(
  trx: Write,
  { taken, kept }: { readonly taken: string; readonly kept: string },
): Promise<readonly WaveInvitation[]> {
  const before = await lockInvitations(trx, [taken, kept]);
  const winner = chooseKept(before);
  if (!winner) return before;
  const dropped = before.filter(({ id }) => id !== winner.id).map(({ id }) => id);
  if (dropped.length > 0) await trx.deleteFrom("wave_invitations").where("id", "in", dropped).execute();
  await trx.updateTable("wave_invitations").set({ person_id: kept }).where("id", "=", winner.id).execute();
  return before;
}

/**
 * Returns whether the kept person's invitation is as the merge left it, but for a reminder that was queued since. True where
 * neither had one: one that came since stays theirs.
 */
export async function isAsMerged(
  trx: Write,
  kept: string,
  before: readonly WaveInvitation[],
): Promise<boolean> {
  const winner = chooseKept(before);
  if (!winner) return true;
  const [now] = await lockInvitations(trx, [kept]);
  const { reminded_at: _, ...left } = { ...winner, person_id: kept };
  return (
    now !== undefined &&
    Object.entries(left).every(([key, value]) => now[key as keyof WaveInvitation] === value)
  );
}

/** Undoes `mergeInvitations`, once both people are there again. Who was reserved by a wave that is over waits again. */
export async function restoreInvitations(
  trx: Write,
  kept: string,
  before: readonly WaveInvitation[],
): Promise<void> {
  if (before.length === 0) return;
  await trx.deleteFrom("wave_invitations").where("person_id", "=", kept).execute();
  const campaigns = before.flatMap(({ campaign_id }) => campaign_id ?? []);
  // Whoever joined without an invitation is of no campaign.
  const over =
    campaigns.length === 0
      ? []
      : await fetchIds(
          trx
            .selectFrom("campaigns")
            .select("id")
            .where("id", "in", campaigns)
            .where("finished_at", "is not", null),
        );
  const restored = before.filter(
    ({ state, campaign_id }) => state !== "reserved" || campaign_id === null || !over.includes(campaign_id),
  );
  if (restored.length > 0) await trx.insertInto("wave_invitations").values(restored).execute();
}
