import { z } from "zod";
import { days } from "~/lib/durations";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { EmailKind } from "~/services/mail/transactional/email-kind";

/** What an email that invites a colleague is composed of. */
export interface InvitationEmail extends TransactionalEmail {
  readonly fullName: string;
  /** Name and address of whoever invites. */
  readonly inviter: { readonly fullName: string; readonly email: string };
  /** Absolute http(s) URL of the invitation. */
  readonly url: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}

/** The id of a row of invitations: each row is one link, and renewing makes a new row. */
const invitationEmailData = z.object({ invitation: z.string() });

/**
 * Emails that invite a colleague: one for each link. They are sent at once, because only a hash of the link is stored and
 * a later attempt could not compose it. Whoever left the mailing list can still be a colleague.
 */
export const INVITATION_EMAIL: EmailKind<z.infer<typeof invitationEmailData>> = {
  name: "invitation",
  plural: "invitations",
  allowanceClass: "always",
  data: invitationEmailData,
  getKey: ({ invitation }) => invitation,
  retentionMs: days(30),
  ignores: ["unsubscribed"],
};
