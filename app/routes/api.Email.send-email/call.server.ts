import { z } from "zod";
import { answerMail, mailCall } from "~/api/answer-mail.server";
import { defineCall } from "~/api/call.server";
import { address, text } from "~/api/fields";
import { brand } from "~/brand";
import { paths } from "~/paths";

/** Specification, section 9: the default invitation subject. */
const INVITATION = `Invitation to the ${brand.name} app`;
/** In bytes of UTF-8. */
const MOST_CONTENT = 256 * 1024;

const rule = "must be HTML as a text of 1 byte to 256 KiB";
const html = z
  .string({ error: rule })
  .meta({ description: "The HTML body. It goes out as it is; nothing in it is read from a file or fetched." })
  .refine((value) => value.trim() !== "" && !value.includes("\0"), { error: rule })
  .refine((value) => new TextEncoder().encode(value).length <= MOST_CONTENT, { error: rule })
  .transform((value) => value.toWellFormed());

export const sendEmail = defineCall({
  ...{ ...mailCall, path: paths.apiSendEmail, name: "sendEmail" },
  summary: "Send one HTML mail",
  description: "From the team, now. Without an Idempotency-Key every call is a mail.",
  // Strict: a Cc that is silently left out would be worse than one that is refused.
  body: z.strictObject({
    ToEmail: address("Whom it is for: one plain address."),
    Subject: text(`One line. Left out, it is "${INVITATION}".`, { max: 200 }).default(INVITATION),
    Content: html,
  }),
  work: (given) => {
    const { ToEmail: to, Subject: subject, Content } = given.body;
    return answerMail(given, { kind: "send-email", to, subject, html: Content, text: undefined });
  },
});
