import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import type { ServiceDeps } from "~/services/service-deps";
import { lockCampaign, type OpenCampaign } from "./campaigns.server";
import type { SubmissionKind } from "~/lib/form-fields";

const PREVIEW_SIZE = 5;

export async function previewAudience(longRead: Read, kind: SubmissionKind) {
  const { position } = await getAudienceEnd(longRead, kind);
  const size = await countAudience(longRead, kind, position);
  const first = await listFirstRecipients(longRead, kind, PREVIEW_SIZE);
  return {
    ...size,
    /** Mailable addresses as typed, in the order of their first signup (specification, section 9). */
    firstFive: first.map(({ email }) => email),
  };
}

/**
 * Counts an audience in one pass over the index `submissions_audience`.
 * @param through audience position of the last submission that counts.
 */
export async function countAudience(longRead: Read, kind: SubmissionKind, through: number) {
  const { total, skipped, unsubscribed } = await longRead
    .selectFrom(selectAudience(longRead, kind, through).select("email_key").distinct().as("audience"))
    .leftJoin("suppressions", "suppressions.email_key", "audience.email_key")
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.count<number>("suppressions.reason").as("skipped"),
      sql<number>`coalesce(sum(case when reason = 'unsubscribed' then 1 else 0 end), 0)`.as("unsubscribed"),
    ])
    .executeTakeFirstOrThrow();
  return {
    /** Distinct addresses among the accepted submissions of the group. */
    total,
    /** Addresses that are not suppressed: the number the operator reviews and confirms. */
    mailable: total - skipped,
    skippedByReason: { unsubscribed, suppressed: skipped - unsubscribed },
  };
}

/** Selects the submissions of an audience up to a position. */
function selectAudience(read: Read, kind: SubmissionKind, through: number) {
  return read
    .selectFrom("submissions")
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where("audience_position", "<=", through);
}

/** Lists the mailable recipients of an audience in the order of their first signup, name and address as typed. */
export function listFirstRecipients(read: Read, kind: SubmissionKind, limit: number) {
  return read
    .selectFrom("submissions")
    .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
    .select(["name", "email"])
    .where("kind", "=", kind)
    .where("state", "=", "accepted")
    .where("suppressions.email_key", "is", null)
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
    .orderBy("submissions.id")
    .limit(limit)
    .execute();
}

/** Checks whether the audience up to a position has at least one address that is not suppressed. */
export function hasRecipients(read: Read, kind: SubmissionKind, through: number): Promise<boolean> {
  const recipients = selectAudience(read, kind, through)
    .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
    .where("suppressions.email_key", "is", null);
  return hasRows(recipients);
}

/** Returns the id of the newest accepted submission up to a position; empty when there is none. */
export async function getLastSubmission(read: Read, kind: SubmissionKind, through: number): Promise<string> {
  const row = await selectAudience(read, kind, through)
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? "";
}

/** Rows per write for an action that may change every delivery of a campaign. */
export const CHUNK = 1000;
/**
 * Submissions per snapshot write: smaller than CHUNK, because emails are sent between two writes. 10 ms each on
 * SQLite.
 */
const SNAPSHOT_BATCH_SIZE = 250;

/**
 * Creates the deliveries for the next submissions of a confirmed campaign, one per address, and stores its
 * progress in the same write, so that it resumes after a crash. Deliveries that exist are sent meanwhile. A
 * suppressed address is skipped for good here: its release before a scheduled start adds no recipient.
 */
export async function snapshotAudience(deps: ServiceDeps & { mailDomain: string }, campaign: OpenCampaign) {
  const { database, clock, newId, mailDomain } = deps;
  const { prepared_through: from, audience_through: through } = campaign;
  await database.write(async (trx) => {
    // Serializes with erasure (services/people), which runs before this reads or after it wrote.
    await lockCampaign(trx, campaign.id);
    // By position too: a submission that was accepted after the review may have an older id.
    const signups = await selectAudience(trx, campaign.audience, campaign.audience_position)
      .select("id")
      .where("id", ">", from)
      .where("id", "<=", through)
      .orderBy("id")
      .limit(SNAPSHOT_BATCH_SIZE)
      .execute();
    const last = signups.length === SNAPSHOT_BATCH_SIZE ? signups.at(-1) : undefined;
    const { numUpdatedRows } = await trx
      .updateTable("campaigns")
      .set(last ? { prepared_through: last.id } : { prepared_through: through, state: "sending" })
      .where("id", "=", campaign.id)
      .where("state", "=", "preparing")
      // Another instance may have copied this chunk meanwhile.
      .where("prepared_through", "=", from)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || signups.length === 0) return;

    // Names and addresses are copied inside the database; only the new ids are passed in.
    const ids = signups.map(({ id }) => sql`(${newId()}, ${id})`);
    // column1 and column2 are the names both databases give to the columns of VALUES.
    await sql`
      insert into deliveries (id, campaign_id, address, email_key, name, message_id, state, detail, not_before, lease_owner,
        lease_until, updated_at)
      select fresh.column1, cast(${campaign.id} as text), submissions.email, submissions.email_key, name,
        '<' || fresh.column1 || ${`@${mailDomain}>`},
        case when reason is null then 'pending' else 'skipped' end,
        case when reason is null then '' when reason = 'unsubscribed' then reason else 'suppressed' end,
        0, '', 0, cast(${clock()} as bigint)
      from (values ${sql.join(ids)}) as fresh
      join submissions on submissions.id = fresh.column2
      left join suppressions on suppressions.email_key = submissions.email_key
      where true
      order by fresh.column1
      on conflict (campaign_id, email_key) do nothing
    `.execute(trx);
  });
}
