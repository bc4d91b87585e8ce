import { sql, type ExpressionBuilder, type RawBuilder } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { takeAdvisoryLock } from "~/db/advisory-lock.server";
import type { Tables } from "~/db/tables";
import type { WaveState } from "~/lib/wave-states";
import type { NewId } from "~/services/service-deps";

/** People that are reserved in a transaction at most, and invitations that are released in one. */
export const WAVE_CHUNK = 1000;

/**
 * Reserves an invitation for each of these people who has none yet, in the caller's transaction. Two waves that reserve
 * at the same moment never share a person.
 * @param personIds at most `WAVE_CHUNK`.
 * @returns the people whose invitation is this wave's now: the others have one already, or are gone.
 */
export async function reserveInvitations(
  trx: Write,
  { campaignId, personIds }: { readonly campaignId: string; readonly personIds: readonly string[] },
  { newId, now }: { readonly newId: NewId; readonly now: number },
): Promise<string[]> {
  if (personIds.length === 0) return [];
  // An erasure waits, or has removed them before.
  const present = await fetchIds(
    trx.selectFrom("people").select("id").where("id", "in", personIds).orderBy("id").forKeyShare(),
  );
  if (present.length === 0) return [];
  const reserved = await trx
    .insertInto("wave_invitations")
    .values(
      present.map((person_id) => ({
        id: newId(),
        person_id,
        campaign_id: campaignId,
        state: "reserved" as const,
        reserved_at: now,
      })),
    )
    .onConflict((conflict) => conflict.column("person_id").doNothing())
    .returning("person_id")
    .execute();
  return reserved.map(({ person_id }) => person_id);
}

/**
 * Releases up to `WAVE_CHUNK` reservations of a wave that are not on their way to the mail server, in the caller's
 * transaction: their people wait again.
 * @param before only those that were reserved by then, in epoch milliseconds; left out: all.
 * @returns how many.
 */
export async function releaseInvitations(trx: Write, campaignId: string, before?: number): Promise<number> {
  const all = trx
    .selectFrom("wave_invitations")
    .select("id")
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "reserved")
    .where((row) => row.not(isOnItsWay(row)))
    .limit(WAVE_CHUNK);
  const next = before === undefined ? all : all.where("reserved_at", "<=", before);
  const { numDeletedRows } = await trx
    .deleteFrom("wave_invitations")
    .where("id", "in", next)
    .where("state", "=", "reserved")
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Matches invitations that were neither joined nor revoked, so that an email with their link may be sent. */
export const IS_OPEN_INVITATION = sql<boolean>`wave_invitations.state <> 'joined' and wave_invitations.revoked_at is null`;

/** Matches invitations whose person asked for a new link and got none since, by an index of these few. */
export const IS_ASKED = sql<boolean>`wave_invitations.asked_at is not null and ${IS_OPEN_INVITATION}`;

/** Matches invitations whose email is being handed to the mail server. */
export const isOnItsWay = ({ exists, selectFrom }: ExpressionBuilder<Tables, "wave_invitations">) =>
  exists(
    selectFrom("deliveries")
      .innerJoin("people", "people.email_key", "deliveries.email_key")
      .select("deliveries.id")
      .whereRef("deliveries.campaign_id", "=", "wave_invitations.campaign_id")
      .where("deliveries.state", "=", "claimed")
      .whereRef("people.id", "=", "wave_invitations.person_id"),
  );

/** Returns the number of the next wave. No other confirmation gets one until the caller's transaction ends. */
export async function takeWaveNumber(trx: Write): Promise<number> {
  await takeAdvisoryLock(trx, "wave-numbers");
  const { last } = await trx
    .selectFrom("campaigns")
    .select(({ fn }) => fn.max("wave").as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/** Counts the reservations of a wave. */
export async function countReserved(read: Read, campaignId: string): Promise<number> {
  const { count } = await read
    .selectFrom("wave_invitations")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "reserved")
    .executeTakeFirstOrThrow();
  return count;
}

/** Selects where the person of a row of `people` is, as a column of the query. */
export const selectWaveState = () =>
  sql<WaveState>`coalesce((
    select case when wave_invitations.state = 'reserved' then 'waiting' else wave_invitations.state end
    from wave_invitations where wave_invitations.person_id = people.id
  ), 'waiting')`.as("wave_state");

/** Selects of a row of `people` where the person is, and by which wave since when, as columns of the query. */
export const selectWave = () =>
  [
    selectWaveState(),
    ofInvitation<number | null>(
      sql`(select wave from campaigns where campaigns.id = wave_invitations.campaign_id)`,
    ).as("wave"),
    ofInvitation<number | null>(sql`invited_at`).as("invited_at"),
    ofInvitation<number | null>(sql`joined_at`).as("joined_at"),
  ] as const;

const ofInvitation = <Value>(column: RawBuilder<unknown>) =>
  sql<Value>`(select ${column} from wave_invitations where wave_invitations.person_id = people.id)`;

/** Finds the invitation of a person, with its wave; undefined without one. */
export function findInvitation(read: Read, personId: string) {
  return read
    .selectFrom("wave_invitations")
    .leftJoin("campaigns", "campaigns.id", "wave_invitations.campaign_id")
    .selectAll("wave_invitations")
    .select(["campaigns.wave", "campaigns.title"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
}
