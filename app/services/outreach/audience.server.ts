import { sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import type { Read } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { getAudienceEnd } from "~/services/signups/audience-position.server";

export interface AudienceSize {
  /** Distinct addresses among the accepted submissions of the group. */
  readonly total: number;
  /** Those that may be written to: what the operator is shown and confirms. */
  readonly mailable: number;
  readonly skippedByReason: { readonly unsubscribed: number; readonly suppressed: number };
}

export interface AudiencePreview extends AudienceSize {
  /** Mailable addresses as typed, in the order of their first signup (specification, section 9). */
  readonly firstFive: readonly string[];
}

const PREVIEWED = 5;

export async function previewAudience(read: Read, kind: SubmissionKind): Promise<AudiencePreview> {
  const { position } = await getAudienceEnd(read, kind);
  const first = await firstOfAudience(read, kind, PREVIEWED);
  return { ...(await sizeOfAudience(read, kind, position)), firstFive: first.map(({ email }) => email) };
}

/** So many addresses are counted in one go: 10 ms on SQLite, which answers nobody else meanwhile. */
const COUNTED_AT_ONCE = 20_000;

/**
 * One pass over the index `submissions_audience`, in pieces between which others get their turn.
 * @param through position of the last submission that counts.
 */
export async function sizeOfAudience(
  read: Read,
  kind: SubmissionKind,
  through: number,
): Promise<AudienceSize> {
  let [total, withheld, unsubscribed] = [0, 0, 0];
  for (let after = ""; ;) {
    const piece = await sizeOfPiece(read, kind, { after, through });
    total += piece.total;
    withheld += piece.withheld;
    unsubscribed += piece.unsubscribed;
    if (piece.total < COUNTED_AT_ONCE) break;
    after = piece.last;
    await setImmediate();
  }
  return {
    total,
    mailable: total - withheld,
    skippedByReason: { unsubscribed, suppressed: withheld - unsubscribed },
  };
}

function sizeOfPiece(
  read: Read,
  kind: SubmissionKind,
  { after, through }: { after: string; through: number },
) {
  return read
    .selectFrom((db) =>
      db
        .selectFrom("submissions")
        .select("email_key")
        .distinct()
        .where("kind", "=", kind)
        .where("state", "=", "accepted")
        .where("email_key", ">", after)
        .where("audience_position", "<=", through)
        .orderBy("email_key")
        .limit(COUNTED_AT_ONCE)
        .as("audience"),
    )
    .leftJoin("suppressions", "suppressions.email_key", "audience.email_key")
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.count<number>("suppressions.reason").as("withheld"),
      sql<number>`coalesce(sum(case when reason = 'unsubscribed' then 1 else 0 end), 0)`.as("unsubscribed"),
      sql<string>`coalesce(max(audience.email_key), '')`.as("last"),
    ])
    .executeTakeFirstOrThrow();
}

/** The mailable people of a group in the order of their first signup, name and address as typed. */
export function firstOfAudience(
  read: Read,
  kind: SubmissionKind,
  limit: number,
): Promise<{ name: string; email: string }[]> {
  return read
    .selectFrom("submissions")
    .select(["name", "email"])
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("suppressions")
            .select("suppressions.email_key")
            .whereRef("suppressions.email_key", "=", "submissions.email_key"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("submissions as earlier")
            .select("earlier.id")
            .where("earlier.kind", "=", kind)
            .where("earlier.state", "=", "accepted")
            .whereRef("earlier.email_key", "=", "submissions.email_key")
            .whereRef("earlier.id", "<", "submissions.id"),
        ),
      ),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Whether anybody may be written to among those who joined the audience up to a position. */
export async function hasRecipients(read: Read, kind: SubmissionKind, through: number): Promise<boolean> {
  const row = await read
    .selectFrom("submissions")
    .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
    .select("submissions.id")
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where("audience_position", "<=", through)
    .where("suppressions.email_key", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest submission among them; empty when there is none. */
export async function lastOfAudience(read: Read, kind: SubmissionKind, through: number): Promise<string> {
  const row = await read
    .selectFrom("submissions")
    .select("id")
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where("audience_position", "<=", through)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? "";
}
