import { z } from "zod";
import { emailField, textField } from "~/lib/parse-form";
import { messages } from "~/content/messages";
import { paths } from "~/paths";
import { signups } from "~/services/container.server";
import type { EarlyAccessSignup } from "~/services/signups/signups.server";
import { consents } from "./consents";
import { submit } from "./submit.server";

const schema = z.object({
  name: textField({ label: "your full name", max: 200, required: true }),
  email: emailField({ label: "your email address" }),
  company: textField({ label: "your company's name", max: 200 }),
  role: z
    .enum(["", "executive", "manager", "developer", "other"], { error: "Please choose one of the roles." })
    .default(""),
} satisfies Record<keyof EarlyAccessSignup, z.ZodType>);

export function submitEarlyAccess(request: Request) {
  return submit(request, {
    schema,
    record: signups.recordEarlyAccessSignup,
    consent: consents.earlyAccess,
    failure: messages.signup.earlyAccess.failure,
    path: paths.earlyAccess,
  });
}
