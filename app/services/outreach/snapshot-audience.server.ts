import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { lockCampaign } from "./campaigns.server";
import type { OpenCampaign } from "./campaigns.server";

/** So many rows are changed in one write by what may concern all of a campaign. */
export const CHUNK = 1000;
/** Fewer, because mails go out between two pieces: 10 ms each on SQLite. */
const COPIED_AT_ONCE = 250;

/**
 * Copies the next signups of a confirmed campaign into the ledger, once per address, and notes in the same write
 * how far it has come: stopped at any point, it goes on from there. Mails to those who are copied go meanwhile. An address
 * on the suppression list is skipped for good here, so that leaving the list before a scheduled time adds no recipient.
 */
export async function snapshotAudience(
  has: { database: Database; clock: Clock; newId: NewId; mailDomain: string },
  campaign: OpenCampaign,
): Promise<void> {
  const { database, clock, newId, mailDomain } = has;
  await database.write(async (trx) => {
    // Whoever is being erased is erased before this reads, or after it wrote (services/people).
    await lockCampaign(trx, database.dialect, campaign.id);
    const signups = await trx
      .selectFrom("submissions")
      .select("id")
      .where("kind", "=", campaign.audience)
      .where("state", "=", "accepted")
      .where("id", ">", campaign.prepared_through)
      .where("id", "<=", campaign.audience_through)
      // Who joined the audience after the question is not among those it counted, however old the id.
      .where("audience_position", "<=", campaign.audience_position)
      .orderBy("id")
      .limit(COPIED_AT_ONCE)
      .execute();
    const last = signups.length === COPIED_AT_ONCE ? signups.at(-1) : undefined;
    const moved = await trx
      .updateTable("sends")
      .set(
        last
          ? { prepared_through: last.id }
          : { prepared_through: campaign.audience_through, state: "sending" },
      )
      .where("id", "=", campaign.id)
      .where("state", "=", "preparing")
      // Another instance may have copied this chunk meanwhile.
      .where("prepared_through", "=", campaign.prepared_through)
      .executeTakeFirst();
    if (moved.numUpdatedRows === 0n || signups.length === 0) return;

    // Names and addresses do not leave the database: only the new ids are handed to it.
    const ids = signups.map(({ id }) => sql`(${newId()}, ${id})`);
    // column1 and column2 are the names both databases give to the columns of VALUES.
    await sql`
      insert into deliveries (id, send_id, address, email_key, name, message_id, state, detail, not_before, lease_owner,
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
      on conflict (send_id, email_key) do nothing
    `.execute(trx);
  });
}
