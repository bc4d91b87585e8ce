import { z } from "zod";
import type { Database } from "~/db/database.server";
import type { ComposeOutreach } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { FOR_GOOD_MS, type EmailKind } from "~/services/mail/transactional/email-kind";
import type { Clock } from "~/services/service-deps";
import { getSuppressionReason } from "~/services/suppressions/suppressions.server";
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
    queued: createQueued(deps, (title) => title),
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

/**
 * Creates the kind of emails that remind a person of their invitation, with the text of their wave: one for each.
 * @param toTitle returns the title of a reminder by that of its wave.
 */
export function createWaveReminderKind(
  deps: WaveEmailKindDeps & { readonly toTitle: (title: string) => string },
): WaveEmailKind {
  return {
    name: WAVE_REMINDER,
    plural: "reminders of invitations",
    allowanceClass: "automatic",
    data: waveEmailData,
    getKey: ({ invitation }) => invitation,
    retentionMs: FOR_GOOD_MS,
    queued: createQueued(deps, deps.toTitle),
  };
}

/** Composes emails with the text of the wave of a person who is still invited, and with the link that is good. */
function createQueued(
  { database, sender, compose, unsubscribeUrl, inviteUrl }: WaveEmailKindDeps,
  toTitle: (title: string) => string,
): NonNullable<WaveEmailKind["queued"]> {
  return {
    async listSkipped(trx, emails) {
      const good = await trx
        .selectFrom("wave_invitations")
        .select(["id", "issue"])
        .where(
          "id",
          "in",
          emails.map(({ data }) => data.invitation),
        )
        .where(IS_OPEN_INVITATION)
        .execute();
      const issues = new Map(good.map(({ id, issue }) => [id, issue]));
      const skipped = emails.filter(({ data }) => issues.get(data.invitation) !== data.issue);
      return new Map(skipped.map(({ id }) => [id, "no-invitation"]));
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
