import { z } from "zod";
import { emailField, textField } from "~/lib/parse-form";
import { messages } from "~/content/messages";
import { paths } from "~/paths";
import { signups } from "~/services/container.server";
import type { UpdatesSignup } from "~/services/signups/signups.server";
import { consents } from "./consents";
import { submit } from "./submit.server";

const schema = z.object({
  name: textField({ label: "your full name", max: 200, required: true }),
  email: emailField({ label: "your email address" }),
} satisfies Record<keyof UpdatesSignup, z.ZodType>);

export function submitUpdates(request: Request) {
  return submit(request, {
    schema,
    record: signups.recordUpdatesSignup,
    consent: consents.updates,
    failure: messages.signup.updates.failure,
    path: paths.updates,
  });
}
