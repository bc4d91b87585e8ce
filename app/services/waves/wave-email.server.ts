import { z } from "zod";
import type { Database } from "~/db/database.server";
import type { SkipReason } from "~/services/mail/delivery/delivery-result";
import type { ComposeOutreach } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { FOR_GOOD_MS, type EmailKind } from "~/services/mail/transactional/email-kind";
import type { Clock } from "~/services/service-deps";
import { getSuppressionReason } from "~/services/suppressions/suppressions.server";
import { getExpiry } from "./invite-links.server";
import type { InviteLink } from "./invite-tokens.server";
import { IS_OPEN_INVITATION } from "./wave-invitations.server";

const waveEmailData = z.object({ invitation: z.string(), issue: z.number() });
export type WaveEmailKind = EmailKind<z.infer<typeof waveEmailData>>;

/** The names of the kinds, by which a later bounce finds the invitation. */
export const WAVE_RESEND = "wave-invitation";
export const WAVE_REMINDER = "wave-reminder";

/** Returns the invitation that an email of these kinds carries, and the issue of its link; undefined for other data. */
export const readWaveEmail = (data: unknown) => waveEmailData.safeParse(data).data;

interface WaveEmailKindDeps {
  readonly database: Pick<Database, "read">;
  readonly clock: Clock;
  readonly sender: Email["from"];
  readonly compose: ComposeOutreach;
  readonly unsubscribeUrl: (emailId: string) => string;
  readonly inviteUrl: (link: InviteLink) => string;
}

/** Creates the kind of emails that invite a person again, with the text of their wave: one for each issue of a link. */
export function createWaveResendKind(deps: WaveEmailKindDeps): WaveEmailKind {
  const { clock } = deps;
  return {
    name: WAVE_RESEND,
    plural: "invitations sent again",
    allowanceClass: "always",
    data: waveEmailData,
    getKey: ({ invitation, issue }) => `${invitation}.${issue}`,
    retentionMs: FOR_GOOD_MS,
    // A link's days begin anew once its email is accepted: recordEnd.
    queued: createQueued(deps, { toTitle: (title) => title, inviteDays: 0 }),
    async recordEnd(trx, { address, data: { invitation, issue } }, { state }) {
      if (state !== "sent" && state !== "uncertain") return;
      // Its bounce may be reported before, and has marked the invitation then.
      if ((await getSuppressionReason({ read: trx }, address)) === "bounced") return;
      await trx
        .updateTable("wave_invitations")
        .set({ state: "invited", invited_at: clock() })
        .where("id", "=", invitation)
        .where("issue", "=", issue)
        .where("state", "!=", "joined")
        .execute();
    },
  };
}

/** Creates the kind of emails that remind a person of their invitation, with the text of their wave: one for each. */
export function createWaveReminderKind(deps: WaveEmailKindDeps & QueuedOptions): WaveEmailKind {
  return {
    name: WAVE_REMINDER,
    plural: "reminders of invitations",
    allowanceClass: "automatic",
    data: waveEmailData,
    getKey: ({ invitation }) => invitation,
    retentionMs: FOR_GOOD_MS,
    queued: createQueued(deps, deps),
  };
}

interface QueuedOptions {
  /** Returns the title of an email by that of its wave. */
  readonly toTitle: (title: string) => string;
  /** After how many days a link expires, so that its email is skipped; 0: never. */
  readonly inviteDays: number;
}

/** Composes emails with the text of the wave of a person who is still invited, and has this address, and the link that is good. */
function createQueued(
  { database, sender, compose, unsubscribeUrl, inviteUrl }: WaveEmailKindDeps,
  { toTitle, inviteDays }: QueuedOptions,
): NonNullable<WaveEmailKind["queued"]> {
  return {
    async listSkipped(trx, emails, now) {
      const invitations = await trx
        .selectFrom("wave_invitations")
        .innerJoin("people", "people.id", "wave_invitations.person_id")
        .select(["wave_invitations.id", "issue", "invited_at", "people.email_key"])
        .where(
          "wave_invitations.id",
          "in",
          emails.map(({ data }) => data.invitation),
        )
        .where(IS_OPEN_INVITATION)
        .execute();
      const open = new Map(invitations.map((row) => [row.id, row]));
      const skips = new Map<string, SkipReason>();
      for (const { id, email_key, data } of emails) {
        const found = open.get(data.invitation);
        if (found?.issue !== data.issue || found.email_key !== email_key) skips.set(id, "no-invitation");
        else if ((getExpiry(found, { days: inviteDays }) ?? Infinity) <= now) skips.set(id, "expired");
      }
      return skips;
    },

    async compose({ id, address, message_id: messageId, data: { invitation, issue } }) {
      const { name, company, role, ...content } = await database.read
        .selectFrom("wave_invitations")
        .innerJoin("people", "people.id", "wave_invitations.person_id")
        .innerJoin("campaigns", "campaigns.id", "wave_invitations.campaign_id")
        .select(["title", "message", "format", "people.name", "people.company", "people.role"])
        .where("wave_invitations.id", "=", invitation)
        .executeTakeFirstOrThrow();
      return compose({ ...content, title: toTitle(content.title) })({
        recipient: { name, company, role, address },
        sender,
        messageId,
        unsubscribeUrl: unsubscribeUrl(id),
        inviteUrl: inviteUrl({ id: invitation, issue }),
      });
    },
  };
}
