import { z } from "zod";
import { days } from "~/lib/durations";
import type { ConfirmationEmail } from "~/services/mail/email-parts";
import type { SkipReason } from "~/services/mail/delivery/delivery-result";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import {
  CONFIRMED_SUBJECTS,
  LINK_LIFETIME_MS,
  isExpired,
  type ConfirmationRequest,
} from "./confirmation-request.server";

interface ConfirmationKindOptions {
  readonly sender: Email["from"];
  readonly compose: (parts: ConfirmationEmail) => Email;
  /** Absolute URL of the confirmation page. */
  readonly confirmUrl: (request: ConfirmationRequest) => string;
}

/** What a confirmation email is stored with. */
export const confirmationData = z.object({
  id: z.string(),
  requested_at: z.number(),
  about: z.enum(CONFIRMED_SUBJECTS).optional(),
});

export type ConfirmationEmailKind = EmailKind<ConfirmationRequest>;

/**
 * Creates the kind of emails that ask for a confirmation: one for each link, skipped once its request is confirmed,
 * deleted or has a newer link, or the link expired.
 */
export function createConfirmationKind(options: ConfirmationKindOptions): ConfirmationEmailKind {
  const { sender, compose, confirmUrl } = options;
  return {
    name: "confirmation",
    plural: "confirmation emails",
    allowanceClass: "always",
    data: confirmationData,
    getKey: ({ id, requested_at }) => `${id}.${requested_at}`,
    retentionMs: days(30),
    // A new signup asks for emails again; only an unsubscription is the person's own to take back.
    ignores: ["unsubscribed"],
    queued: {
      async listSkipped(trx, emails, now) {
        const requests = await trx
          .selectFrom("confirmations")
          .select(["id", "requested_at", "confirmed_at"])
          .where(
            "id",
            "in",
            emails.map(({ data }) => data.id),
          )
          .execute();
        const byId = new Map(requests.map((request) => [request.id, request]));
        const skips = new Map<string, SkipReason>();
        for (const { id, data } of emails) {
          const request = byId.get(data.id);
          const isCurrent = request?.requested_at === data.requested_at && !isExpired(data, now);
          if (request && request.confirmed_at !== null) skips.set(id, "confirmed");
          else if (!isCurrent) skips.set(id, "expired");
        }
        return skips;
      },
      compose: ({ address, message_id: messageId, data }) =>
        compose({
          address,
          sender,
          messageId,
          about: data.about ?? "updates-signup",
          confirmUrl: confirmUrl(data),
          validForMs: LINK_LIFETIME_MS,
        }),
    },
  };
}
