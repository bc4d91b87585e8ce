import { sql } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { hours } from "~/lib/durations";
import { getLeastUuid } from "~/lib/uuid";
import { lockCampaign } from "~/services/outreach/campaigns.server";
import type { PersonData } from "~/services/people/person-data";
import type { Clock } from "~/services/service-deps";
import { releaseInvitations, WAVE_CHUNK } from "~/services/waves/wave-invitations.server";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";

/** People per write: some milliseconds of the single writer. */
const PIECE = 1000;
/** Rows that a sweep removes at a time. */
const SWEEP_CHUNK = 500;
/** A confirmation that has not ended after this time was interrupted. */
const INTERRUPTED_MS = hours(1);

interface Freezing {
  readonly campaignId: string;
  /** Id of the confirmation: a UUIDv7, which tells when it began. */
  readonly attempt: string;
}

/**
 * Writes the people whom the confirmation of a draft chose, in pieces. Of two confirmations of one draft the later one
 * goes on alone: it drops what the other one, or an interrupted one, has written.
 * @param ids of the people, in the order in which they get the email.
 * @param reserve for a wave: reserves the invitations of a piece's people in the same write, and returns whether it
 * could for all of them.
 * @returns false when another confirmation began, the campaign is no draft any more, or `reserve` returned false.
 */
export async function freezePeople(
  database: Database,
  { campaignId, attempt }: Freezing,
  ids: readonly string[],
  reserve: (trx: Write, personIds: readonly string[]) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const begun = await database.write(async (trx) => {
    const campaign = await lockCampaign(trx, campaignId);
    if (campaign?.state !== "draft") return false;
    await trx.updateTable("campaigns").set({ freezing: attempt }).where("id", "=", campaignId).execute();
    return true;
  });
  if (!begun || !(await dropInPieces(database, { campaignId, attempt }))) return false;
  for (let from = 0; from < ids.length; from += PIECE) {
    const piece = ids.slice(from, from + PIECE);
    const isOurs = await database.write(async (trx) => {
      if (!(await isFreezing(trx, { campaignId, attempt }))) return false;
      await writePiece(trx, campaignId, { from, ids: piece });
      return reserve(trx, piece);
    });
    if (!isOurs) return false;
  }
  return true;
}

/** Writes a piece of the chosen people. @param from their number before this piece. */
async function writePiece(
  trx: Write,
  campaign_id: string,
  { from, ids }: { from: number; ids: readonly string[] },
): Promise<void> {
  const rows = ids.map((person_id, index) => ({ campaign_id, place: from + index + 1, person_id }));
  await trx.insertInto("campaign_people").values(rows).execute();
}

/** Drops what a refused confirmation has written. Another one that began meanwhile keeps what it writes. */
export async function thawPeople(database: Database, freezing: Freezing): Promise<void> {
  if (!(await dropInPieces(database, freezing))) return;
  await database.write((trx) =>
    trx
      .updateTable("campaigns")
      .set({ freezing: "" })
      .where("id", "=", freezing.campaignId)
      .where("freezing", "=", freezing.attempt)
      .execute(),
  );
}

/**
 * Drops the people chosen for a draft, and what was reserved for them.
 * @returns false when another confirmation began.
 */
async function dropInPieces(database: Database, freezing: Freezing): Promise<boolean> {
  for (;;) {
    const dropped = await database.write(async (trx) =>
      (await isFreezing(trx, freezing)) ? dropPiece(trx, freezing.campaignId) : undefined,
    );
    if (dropped === undefined) return false;
    if (!dropped) return true;
  }
}

/**
 * Drops a piece of the people chosen for a draft; after the last one, releases what was reserved for them.
 * @returns whether there may be more.
 */
async function dropPiece(trx: Write, campaignId: string): Promise<boolean> {
  return (await dropPeople(trx, campaignId)) || (await releaseInvitations(trx, campaignId)) === WAVE_CHUNK;
}

/** Checks whether a confirmation of a draft is the one that goes on; locks the draft until the transaction ends. */
async function isFreezing(trx: Write, { campaignId, attempt }: Freezing): Promise<boolean> {
  const campaign = await lockCampaign(trx, campaignId);
  return campaign?.state === "draft" && campaign.freezing === attempt;
}

/** Drops a piece of the people chosen for a campaign. @returns whether there may be more. */
export async function dropPeople(trx: Write, campaignId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("campaign_people")
    .where("campaign_id", "=", campaignId)
    .where(
      "place",
      "in",
      trx.selectFrom("campaign_people").select("place").where("campaign_id", "=", campaignId).limit(PIECE),
    )
    .executeTakeFirst();
  return numDeletedRows === BigInt(PIECE);
}

/**
 * Removes what an interrupted confirmation left, of a draft that nobody confirmed again, or that somebody confirmed for its
 * whole group since: that confirmation alone leaves `freezing` as it is.
 */
export function sweepFrozenPeople(database: Database, clock: Clock): Promise<number> {
  const before = getLeastUuid(clock() - INTERRUPTED_MS);
  return sweepInChunks(database, SWEEP_CHUNK, async (trx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from campaign_people where (campaign_id, place) in (
        select campaign_id, place from campaigns join campaign_people on campaign_people.campaign_id = campaigns.id
        where freezing < ${before}
          and ((state = 'draft' and prepared_through = '') or (state <> 'draft' and freezing <> ''))
        limit ${sql.lit(SWEEP_CHUNK)}
      )
    `.execute(trx);
    return Number(numAffectedRows);
  });
}

/**
 * Gives the places of the person whom a merge takes away to the one it keeps, in campaigns where that one has none.
 * @returns the campaigns of these places, for `restoreMergedPlaces`.
 */
export async function mergePlaces(
  trx: Write,
  { taken, kept }: { taken: string; kept: string },
): Promise<string[]> {
  const rows = await selectPlaces(trx, taken).select(["campaign_id", "place"]).execute();
  const merged: string[] = [];
  for (const { campaign_id, place } of rows) {
    const isChosen = await hasRows(selectPlaces(trx, kept).where("campaign_id", "=", campaign_id));
    if (isChosen) continue;
    await setPerson(trx, { campaign_id, place }, kept);
    merged.push(campaign_id);
  }
  return merged;
}

/** Undoes `mergePlaces`, where the deliveries are not created yet. */
export async function restoreMergedPlaces(
  trx: Write,
  { taken, kept }: { taken: string; kept: string },
  campaigns: readonly string[],
): Promise<void> {
  const rows = await selectPlaces(trx, kept).select(["campaign_id", "place"]).execute();
  for (const row of rows) if (campaigns.includes(row.campaign_id)) await setPerson(trx, row, taken);
}

/** Selects the places of a person, by the index of each campaign: campaigns are few. */
const selectPlaces = (read: Read, personId: string) =>
  read
    .selectFrom("campaigns")
    .crossJoin("campaign_people")
    .whereRef("campaign_people.campaign_id", "=", "campaigns.id")
    .where("person_id", "=", personId);

const setPerson = (
  trx: Write,
  { campaign_id, place }: { campaign_id: string; place: number },
  person_id: string,
) =>
  trx
    .updateTable("campaign_people")
    .set({ person_id })
    .where("campaign_id", "=", campaign_id)
    .where("place", "=", place)
    .execute();

/** The campaigns that a person is chosen for and whose deliveries are not created yet. */
export const campaignPeoplePersonData: PersonData = {
  name: "chosenFor",
  columns: { campaign_people: "rows" },

  async export(read, emailKey) {
    const person = await findPersonByAddress(read, emailKey);
    if (!person) return [];
    return selectPlaces(read, person.id).select(["campaign_id", "title"]).execute();
  },

  async erase(trx, emailKey) {
    const person = await findPersonByAddress(trx, emailKey);
    if (!person) return;
    const rows = await selectPlaces(trx, person.id).select(["campaign_id", "place"]).execute();
    for (const { campaign_id, place } of rows) {
      await trx
        .deleteFrom("campaign_people")
        .where("campaign_id", "=", campaign_id)
        .where("place", "=", place)
        .execute();
    }
  },
};

const findPersonByAddress = (read: Read, emailKey: string) =>
  read.selectFrom("people").select("id").where("email_key", "=", emailKey).executeTakeFirst();
