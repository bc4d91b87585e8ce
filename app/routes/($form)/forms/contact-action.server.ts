import { z } from "zod";
import { emailField, textField } from "~/lib/parse-form";
import { messages } from "~/content/messages";
import { signups } from "~/services/container.server";
import type { ContactSubmission } from "~/services/signups/signups.server";
import { consents } from "./consents";
import { CONTACT_ACTION, MESSAGE_MAX_LENGTH } from "./contact-rules";
import { submit } from "./submit.server";

const schema = z.object({
  fullName: textField({ label: "your full name", max: 200, required: true }),
  email: emailField({ label: "your email address" }),
  inquiryType: z.enum(["general", "partnership", "support"], {
    error: "Please choose what your message is about.",
  }),
  message: textField({ label: "your message", max: MESSAGE_MAX_LENGTH, required: true, singleLine: false }),
} satisfies Record<keyof ContactSubmission, z.ZodType>);

export function submitContact(request: Request) {
  return submit(request, {
    schema,
    record: signups.recordContactSubmission,
    consent: consents.contact,
    failure: messages.signup.contact.failure,
    path: CONTACT_ACTION,
  });
}
