import type { Read, Write } from "~/db/database.server";
import { parseJson } from "~/lib/parse-json";
import { fetchIds } from "~/db/rows";
import type { NewId } from "~/services/service-deps";
import type { InviteLink } from "./invite-tokens.server";
import { readWaveEmail, WAVE_RESEND, WAVE_REMINDER } from "./wave-email.server";
import { IS_OPEN_INVITATION, isOnItsWay, reserveInvitations } from "./wave-invitations.server";

/** What a delivery is found by. */
interface Recipient {
  readonly campaign_id: string;
  readonly email_key: string;
}

/**
 * Loads the invitations that the emails of waves carry, in one query; null for a recipient who has none of this wave that
 * is good: they joined, it was revoked, or a merge of two people left another one.
 */
export async function loadInvitations<Row extends Recipient>(
  read: Read,
  rows: readonly Row[],
): Promise<Map<Row, InviteLink | null>> {
  if (rows.length === 0) return new Map();
  const found = await read
    .selectFrom("people")
    .innerJoin("wave_invitations", "wave_invitations.person_id", "people.id")
    .select(["wave_invitations.id", "issue", "campaign_id", "email_key"])
    .where("email_key", "in", [...new Set(rows.map(({ email_key }) => email_key))])
    .where(IS_OPEN_INVITATION)
    .execute();
  const byRecipient = new Map(found.map(({ id, issue, ...recipient }) => [toKey(recipient), { id, issue }]));
  return new Map(rows.map((row) => [row, byRecipient.get(toKey(row)) ?? null]));
}

const toKey = ({ campaign_id, email_key }: { campaign_id: string | null; email_key: string }) =>
  `${campaign_id} ${email_key}`;

/** The end of an attempt at an email that carried an invitation. */
interface InvitedResult {
  readonly invitation: InviteLink;
  /** Of the delivery, as of then. */
  readonly state: string;
}

/**
 * Records what became of the emails of invitations: an accepted one invites, as does one that may have arrived. One that
 * was not sent for good returns its reservation, so that a later wave can take the person. May run again.
 */
export async function settleInvitations(trx: Write, results: readonly InvitedResult[], now: number) {
  const idsIn = (...states: readonly string[]) =>
    results.filter(({ state }) => states.includes(state)).map(({ invitation }) => invitation.id);
  const invited = idsIn("sent", "uncertain");
  if (invited.length > 0) {
    await trx
      .updateTable("wave_invitations")
      .set({ state: "invited", invited_at: now })
      .where("id", "in", invited)
      .where("state", "=", "reserved")
      .execute();
  }
  const returned = idsIn("failed", "skipped");
  if (returned.length > 0) {
    await trx
      .deleteFrom("wave_invitations")
      .where("id", "in", returned)
      .where("state", "=", "reserved")
      // Another instance took the delivery over, and is sending it.
      .where((row) => row.not(isOnItsWay(row)))
      .execute();
  }
}

/** Reserves again for recipients of a wave whose failed emails are tried again; who is taken meanwhile is skipped then. */
export async function reserveAgain(
  trx: Write,
  { campaignId, emailKeys }: { readonly campaignId: string; readonly emailKeys: readonly string[] },
  deps: { readonly newId: NewId; readonly now: number },
): Promise<void> {
  if (emailKeys.length === 0) return;
  const people = trx.selectFrom("people").select("id").where("email_key", "in", emailKeys);
  await reserveInvitations(trx, { campaignId, personIds: await fetchIds(people) }, deps);
}

/** Marks as undeliverable the invitations whose emails, sent again, came back for good. */
export async function markInvitationsSentAgainUndeliverable(
  trx: Write,
  emailIds: readonly string[],
): Promise<void> {
  if (emailIds.length === 0) return;
  const emails = await trx
    .selectFrom("transactional_emails")
    .select("data")
    .where("id", "in", emailIds)
    .where("kind", "in", [WAVE_RESEND, WAVE_REMINDER])
    .execute();
  for (const { data } of emails) {
    const link = readWaveEmail(parseJson(data));
    if (!link) continue;
    await trx
      .updateTable("wave_invitations")
      .set({ state: "undeliverable" })
      .where("id", "=", link.invitation)
      .where("issue", "=", link.issue)
      .where("state", "=", "invited")
      .execute();
  }
}

/** Marks as undeliverable the invitations whose emails came back for good. */
export async function markInvitationsUndeliverable(
  trx: Write,
  deliveries: readonly Recipient[],
  now: number,
): Promise<void> {
  for (const [campaignId, of] of Map.groupBy(deliveries, ({ campaign_id }) => campaign_id)) {
    const people = trx
      .selectFrom("people")
      .select("id")
      .where(
        "email_key",
        "in",
        of.map(({ email_key }) => email_key),
      );
    await trx
      .updateTable("wave_invitations")
      .set(({ fn, val }) => ({ state: "undeliverable", invited_at: fn.coalesce("invited_at", val(now)) }))
      .where("campaign_id", "=", campaignId)
      // A bounce may be reported before the result of its delivery is recorded.
      .where("state", "in", ["reserved", "invited"])
      .where("person_id", "in", people)
      .execute();
  }
}
