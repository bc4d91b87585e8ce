import { sql, type RawBuilder } from "kysely";
import type { Write } from "~/db/database.server";
import { days } from "~/lib/durations";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { ServiceDeps } from "~/services/service-deps";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";
import { WAVE_REMINDER, type WaveEmailKind } from "./wave-email.server";

/** Reminders that are queued in one transaction at most. */
const CHUNK = 100;

interface WaveRemindersDeps extends Omit<ServiceDeps, "newId"> {
  readonly emails: Pick<TransactionalEmails, "add">;
  readonly kind: WaveEmailKind;
  /** Wakes the queue of the emails. */
  readonly wake: () => void;
  /** After how many days a link expires; 0: never. Nobody is reminded of an expired one. */
  readonly inviteDays: number;
}

/**
 * Reminds people of their invitation, once, so long after it as their wave says. Who joined, was revoked or has an expired
 * link before the email is sent is skipped then; whoever is on the suppression list is skipped as by every email.
 */
export function createWaveReminders({ database, clock, emails, kind, wake, inviteDays }: WaveRemindersDeps) {
  return {
    /** Queues the reminders that are due. @returns how many. */
    async runDue(): Promise<number> {
      const now = clock();
      // Read first, so that nothing is written where nothing is due.
      const waves = await database.read
        .selectFrom("campaigns")
        .select(["id", "remind_ms"])
        .where("wave", "is not", null)
        .where("remind_ms", ">", 0)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("wave_invitations")
              .select("wave_invitations.id")
              .whereRef("campaign_id", "=", "campaigns.id")
              .where(isDue(sql`${now} - remind_ms`, now)),
          ),
        )
        .execute();
      let queued = 0;
      for (const { id, remind_ms } of waves) {
        queued += await sweepInChunks(database, CHUNK, (trx) => queueChunk(trx, id, clock() - remind_ms));
      }
      if (queued > 0) wake();
      return queued;
    },
  };

  async function queueChunk(trx: Write, campaignId: string, invitedUntil: number): Promise<number> {
    const now = clock();
    const due = await trx
      .selectFrom("wave_invitations")
      .innerJoin("people", "people.id", "wave_invitations.person_id")
      .select(["wave_invitations.id", "issue", "email"])
      .where("campaign_id", "=", campaignId)
      .where(isDue(sql`${invitedUntil}`, now))
      .orderBy("invited_at")
      .limit(CHUNK)
      .forUpdate("wave_invitations")
      .execute();
    for (const { id, issue, email } of due) {
      await emails.add(trx, kind, { address: email, data: { invitation: id, issue } });
    }
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) {
      await trx.updateTable("wave_invitations").set({ reminded_at: now }).where("id", "in", ids).execute();
    }
    return due.length;
  }
  /** Whether somebody invited until then is to be reminded. The state is literal: SQLite uses the partial index only then. */
  function isDue(invitedUntil: RawBuilder<number>, now: number): RawBuilder<boolean> {
    return sql`wave_invitations.state = 'invited' and reminded_at is null and revoked_at is null
      and invited_at <= ${invitedUntil} and invited_at > ${inviteDays > 0 ? now - days(inviteDays) : 0}`;
  }
}

/**
 * Takes back the reminders that wait to be sent to an address whose person gets another one: the next `runDue` queues them
 * to that, because a skipped email frees its key. @param key the address in lower case; the caller has locked its emails.
 */
export async function withdrawReminders(trx: Write, key: string): Promise<void> {
  const withdrawn = await trx
    .updateTable("transactional_emails")
    .set({ state: "skipped", detail: "no-invitation" })
    .where("email_key", "=", key)
    .where("kind", "=", WAVE_REMINDER)
    .where("state", "in", ["pending", "retrying"])
    .returning("unique_key")
    .execute();
  if (withdrawn.length === 0) return;
  await trx
    .updateTable("wave_invitations")
    .set({ reminded_at: null })
    .where(
      "id",
      "in",
      withdrawn.map(({ unique_key }) => unique_key),
    )
    .execute();
}

/** Leaves out the reminders that are due, after a backup was restored: it does not know whether they were sent. */
export async function skipDueReminders(trx: Write, now: number): Promise<void> {
  await sql`
    update wave_invitations set reminded_at = ${now}
    where state = 'invited' and reminded_at is null and revoked_at is null
      and exists (
        select 1 from campaigns
        where campaigns.id = wave_invitations.campaign_id and remind_ms > 0 and invited_at <= ${now} - remind_ms
      )
  `.execute(trx);
}
