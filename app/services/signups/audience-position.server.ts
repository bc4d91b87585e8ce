import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

/**
 * Returns the end of the audience of a form: the position of the submission that joined last, up to which every
 * submission is committed, and the number of accepted submissions.
 */
export async function getAudienceEnd(read: Read, kind: SubmissionKind) {
  const row = await read
    .selectFrom("submission_counts")
    .select(["audience_position as position", "count as submissions"])
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .executeTakeFirst();
  return row ?? { position: 0, submissions: 0 };
}

/**
 * Moves the accepted submissions of these addresses to the end of their audiences, in the transaction that takes
 * the addresses off the suppression list: a campaign whose recipients were counted before does not include them.
 */
export async function rejoinAudiences(trx: Write, emailKeys: readonly string[]): Promise<void> {
  if (emailKeys.length === 0) return;
  for (const kind of SUBMISSION_KINDS) {
    const accepted = trx
      .selectFrom("submissions")
      .select("id")
      .where("kind", "=", kind)
      .where("state", "=", "accepted")
      .where("email_key", "in", emailKeys);
    await joinAudience(trx, kind, await fetchIds(accepted), 0);
  }
}

/**
 * Appends accepted submissions to the audience of their form.
 * @param added number of them that are newly accepted, and counted.
 */
export async function joinAudience(
  trx: Write,
  kind: SubmissionKind,
  ids: readonly string[],
  added: number,
): Promise<void> {
  if (ids.length === 0) return;
  const audience_position = await takeAudiencePosition(trx, kind, added);
  await trx.updateTable("submissions").set({ audience_position }).where("id", "in", ids).execute();
}

/**
 * Takes the next position in the audience of a form. Positions follow the order of commits on both databases: the
 * row of the count stays locked until the commit, so that a later position is never visible before an earlier one.
 * @param added number of submissions that are newly accepted, and counted.
 */
export async function takeAudiencePosition(trx: Write, kind: SubmissionKind, added: number): Promise<number> {
  const { audience_position } = await trx
    .insertInto("submission_counts")
    .values({ kind, state: "accepted", count: added, audience_position: 1 })
    .onConflict((conflict) =>
      conflict.columns(["kind", "state"]).doUpdateSet({
        count: sql`submission_counts.count + ${added}`,
        audience_position: sql`submission_counts.audience_position + 1`,
      }),
    )
    .returning("audience_position")
    .executeTakeFirstOrThrow();
  return audience_position;
}
