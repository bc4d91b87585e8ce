import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { Campaign } from "~/db/tables/outreach";
import type { Audiences } from "~/services/audiences/audiences.server";
import { dropPeople } from "~/services/audiences/frozen-people.server";
import { MAX_AUDIENCE, parseNarrowing } from "~/services/audiences/narrowing";
import { invites } from "~/lib/merge-fields";
import { releaseInvitations, WAVE_CHUNK } from "~/services/waves/wave-invitations.server";
import { FORM_BITS } from "~/services/people/person-forms";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import type { ServiceDeps } from "~/services/service-deps";
import { lockCampaign, type OpenCampaign } from "./campaigns.server";
import type { SubmissionKind } from "~/lib/form-fields";

const PREVIEW_SIZE = 5;

/** The group of a campaign, and its narrowing: left out, or empty, the whole group. */
export interface CampaignAudience {
  readonly audience: SubmissionKind;
  readonly narrowing?: string | undefined;
  /** Of a saved campaign. */
  readonly id?: string | undefined;
  /** A text that invites makes a wave, which goes to people without an invitation only. */
  readonly title?: string;
  readonly message?: string;
}

/** Returns whether a campaign invites its recipients. */
export const isWave = ({ title = "", message = "" }: CampaignAudience): boolean =>
  invites(`${title}\n${message}`);

/** Returns whether a campaign goes to people who are chosen and frozen at its confirmation, not to a whole group. */
export const isChosen = (of: CampaignAudience): boolean => (of.narrowing ?? "") !== "" || isWave(of);

/** Returns whether a campaign is a wave of so many people at a time, which can be repeated until nobody is left. */
export const canRepeat = (of: CampaignAudience): boolean => getRepeatedLimit(of) !== undefined;

/** Returns how many people each run of a repeated wave invites at most; undefined when it cannot be repeated. */
export const getRepeatedLimit = (of: CampaignAudience): number | undefined =>
  isWave(of) ? parseNarrowing(of.narrowing ?? "").limit : undefined;

const toAudience = (of: CampaignAudience) => ({
  kind: of.audience,
  narrowing: parseNarrowing(of.narrowing ?? ""),
  wave: isWave(of) ? (of.id ?? "") : undefined,
});

/** Counts an audience as it is now, and shows the first five of those who would get the email. */
export async function previewAudience(
  { longRead, audiences }: { longRead: Read; audiences: Audiences },
  of: CampaignAudience,
) {
  const { through: _, ...size } = await countRecipients({ longRead, audiences }, of);
  const first = await listFirst({ longRead, audiences }, of, PREVIEW_SIZE);
  return {
    ...size,
    /** Mailable addresses as typed, in the order in which they are written to (specification, section 9). */
    firstFive: first.map(({ email }) => email),
  };
}

/** Counts an audience as it is now. */
export async function countRecipients(
  { longRead, audiences }: { longRead: Read; audiences: Audiences },
  of: CampaignAudience,
) {
  if (isChosen(of)) {
    const through = await audiences.getNewestTime();
    const size = await audiences.count({ ...toAudience(of), through });
    return { ...size, through, duplicates: 0, isTooLarge: size.chosen > MAX_AUDIENCE };
  }
  const { position, submissions } = await getAudienceEnd(longRead, of.audience);
  const size = await countAudience(longRead, of.audience, position);
  return {
    ...size,
    /** Those who would get the email; the suppressed of a whole group become deliveries that are skipped. */
    chosen: size.mailable,
    /** Audience position of the last submission that counts; of a narrowed audience the time of the last person. */
    through: position,
    /** Submissions beyond the first of an address. */
    duplicates: Math.max(0, submissions - size.total),
    /** Whether they are more than a narrowed audience may have. */
    isTooLarge: false,
  };
}

/** Lists the first recipients of an audience, in the order in which they are written to. */
export function listFirst(
  { longRead, audiences }: { longRead: Read; audiences: Audiences },
  of: CampaignAudience,
  limit: number,
) {
  return isChosen(of)
    ? audiences.listFirst(toAudience(of), limit)
    : listFirstRecipients(longRead, of.audience, limit);
}

/**
 * Reads whom a narrowed audience chooses now, in their order.
 * @param through of the count: who was first known later is left out, so that a new signup changes nothing.
 */
export const listChosen = (audiences: Audiences, of: CampaignAudience, through: number): Promise<string[]> =>
  audiences.listIds({ ...toAudience(of), through });

/**
 * Counts an audience in one pass over the index `submissions_audience`.
 * @param through audience position of the last submission that counts.
 */
async function countAudience(longRead: Read, kind: SubmissionKind, through: number) {
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
function listFirstRecipients(read: Read, kind: SubmissionKind, limit: number) {
  return read
    .selectFrom("submissions")
    .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
    .select(["name", "email", "company", "role"])
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

type SnapshotDeps = ServiceDeps & { readonly mailDomain: string };

/**
 * Creates the deliveries for the next submissions of a confirmed campaign, one per address, and stores its
 * progress in the same write, so that it resumes after a crash. Deliveries that exist are sent meanwhile. A
 * suppressed address is skipped for good here: its release before a scheduled start adds no recipient.
 */
export async function snapshotAudience(deps: SnapshotDeps, campaign: OpenCampaign) {
  const { database } = deps;
  const { prepared_through: from, audience_through: through } = campaign;
  await database.write(async (trx) => {
    // Serializes with erasure (services/people), which runs before this reads or after it wrote.
    const locked = await lockCampaign(trx, campaign.id);
    if (locked && isChosen(locked)) {
      await snapshotChosen(trx, deps, locked);
      return;
    }
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
      // It may have been edited and confirmed again meanwhile.
      .where("audience", "=", campaign.audience)
      .where("audience_through", "=", through)
      .where("audience_position", "=", campaign.audience_position)
      // Another instance may have copied this chunk meanwhile.
      .where("prepared_through", "=", from)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || signups.length === 0) return;

    await createDeliveries(trx, deps, { id: campaign.id, table: "submissions", rows: signups });
  });
}

/**
 * Creates the deliveries for the next people of a narrowed campaign, in their order, and removes these from
 * `campaign_people` in the same write. Whoever is erased, or left the group, since the confirmation gets none; nobody
 * takes their place.
 */
async function snapshotChosen(trx: Write, deps: SnapshotDeps, campaign: Campaign) {
  const { id, state, audience_through: through } = campaign;
  // Another instance may have copied the last piece, or an operator edits it.
  if (state !== "preparing") return;
  const chosen = await trx
    .selectFrom("campaign_people")
    .select(["place", "person_id"])
    .where("campaign_id", "=", id)
    .orderBy("place")
    .limit(SNAPSHOT_BATCH_SIZE)
    .execute();
  const last = chosen.at(-1);
  await trx
    .updateTable("campaigns")
    .set(
      last && chosen.length === SNAPSHOT_BATCH_SIZE
        ? { prepared_through: formatPlace(last.place) }
        : { prepared_through: through, state: "sending" },
    )
    .where("id", "=", id)
    .execute();
  if (!last) return;
  const { rows } = await sql<{ id: string }>`
    select people.id from campaign_people join people on people.id = campaign_people.person_id
    where campaign_id = ${id} and place <= ${last.place}
      and forms & ${sql.lit(FORM_BITS[campaign.audience])} <> 0
    order by place
  `.execute(trx);
  await createDeliveries(trx, deps, { id, table: "people", rows });
  await trx
    .deleteFrom("campaign_people")
    .where("campaign_id", "=", id)
    .where("place", "<=", last.place)
    .execute();
}

/** Formats a place in a narrowed audience as progress of the snapshot: the order of the texts is that of the places. */
export const formatPlace = (place: number): string => String(place).padStart(6, "0");

/** Creates the deliveries for rows of submissions or of people, in their order. */
async function createDeliveries(
  trx: Write,
  { clock, newId, mailDomain }: SnapshotDeps,
  {
    id,
    table,
    rows,
  }: { id: string; table: "submissions" | "people"; rows: readonly { readonly id: string }[] },
) {
  if (rows.length === 0) return;
  // Names and addresses are copied inside the database; only the new ids are passed in.
  const ids = rows.map((row) => sql`(${newId()}, ${row.id})`);
  const source = sql.table(table);
  // column1 and column2 are the names both databases give to the columns of VALUES.
  await sql`
    insert into deliveries (id, campaign_id, address, email_key, name, company, role, message_id, state, detail, not_before, lease_owner,
      lease_until, updated_at)
    select fresh.column1, cast(${id} as text), ${source}.email, ${source}.email_key, name,
      company, role,
      '<' || fresh.column1 || ${`@${mailDomain}>`},
      case when reason is null then 'pending' else 'skipped' end,
      case when reason is null then '' when reason = 'unsubscribed' then reason else 'suppressed' end,
      0, '', 0, cast(${clock()} as bigint)
    from (values ${sql.join(ids)}) as fresh
    join ${source} on ${source}.id = fresh.column2
    left join suppressions on suppressions.email_key = ${source}.email_key
    where true
    order by fresh.column1
    on conflict (campaign_id, email_key) do nothing
  `.execute(trx);
}

/**
 * Drops the next part of what an earlier confirmation of a draft prepared: its deliveries, of which none was sent, then the
 * people it chose, then what it reserved for them. The next confirmation begins once nothing is left.
 * @returns whether there may be more.
 */
export async function dropPreparation(trx: Write, id: string): Promise<boolean> {
  const campaign = await lockCampaign(trx, id);
  if (campaign?.state !== "draft" || campaign.prepared_through === "") return false;
  const next = trx.selectFrom("deliveries").select("id").where("campaign_id", "=", id).limit(CHUNK);
  const { numDeletedRows } = await trx.deleteFrom("deliveries").where("id", "in", next).executeTakeFirst();
  if (numDeletedRows === BigInt(CHUNK) || (await dropPeople(trx, id))) return true;
  if ((await releaseInvitations(trx, id)) === WAVE_CHUNK) return true;
  await trx
    .updateTable("campaigns")
    .set({ prepared_through: "", audience_through: "" })
    .where("id", "=", id)
    .execute();
  return false;
}
