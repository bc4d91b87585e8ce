import { z } from "zod";
import { messages } from "~/content/messages";
import { refuse } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { signups } from "~/services/container.server";
import type { FormColumns } from "~/services/signups/signups.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { forms, MESSAGE_MAX_LENGTH, THANKS_CODE, type FormName } from "./forms";

const name = textField({ label: "your full name", max: 200, required: true });
const email = emailField({ label: "your email address" });

const earlyAccess = z.object({
  name,
  email,
  company: textField({ label: "your company's name", max: 200 }),
  role: z
    .enum(["", "executive", "manager", "developer", "other"], { error: "Please choose one of the roles." })
    .default(""),
});

const updates = z.object({ name, email });

const contact = z
  .object({
    fullName: name,
    email,
    inquiryType: z.enum(["general", "partnership", "support"], {
      error: "Please choose what your message is about.",
    }),
    message: textField({ label: "your message", max: MESSAGE_MAX_LENGTH, required: true, singleLine: false }),
  })
  .transform(({ fullName, inquiryType, ...others }) => ({
    name: fullName,
    inquiry_type: inquiryType,
    ...others,
  }));

/** Stores a visitor's form by the rules of its kind. */
export function submitForm(form: FormName, request: Request) {
  const { signup } = messages;
  switch (form) {
    case "early-access":
      return submit(request, form, "early-access", earlyAccess, signup.earlyAccess.failure);
    case "updates":
      return submit(request, form, "updates-signup", updates, signup.updates.failure);
    case "contact":
      return submit(request, form, "contact-form", contact, signup.contact.failure);
  }
}

/** Stores a form, then redirects to its success message. @param failure for what belongs to no field. */
async function submit<Kind extends SubmissionKind>(
  request: Request,
  formName: FormName,
  kind: Kind,
  schema: z.ZodType<FormColumns[Kind]>,
  failure: string,
) {
  const { path, fragment, consent } = forms[formName];
  const form = await readForm(request);
  const { website = "", stamp = "", ...values } = typed(form);
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse(formName, { values, errors: parsed.errors, stamp });
  const failed = { values, errors: {}, message: failure, stamp };
  const { address } = getRequestOrigin(request);
  try {
    const outcome = await signups.record(kind, parsed.value, { honeypot: website, stamp, consent, address });
    if (outcome.ok) return seeOther(`${path}?notice=${THANKS_CODE}${fragment}`);
    return outcome.error === "limited"
      ? refuse(formName, failed, { status: 429, retryAfterSeconds: outcome.retryAfterSeconds })
      : refuse(formName, { ...failed, stamp: signups.stampForm() });
  } catch (err) {
    // A full disk or an unreachable database: nothing was stored, and the response does not claim it (hardening R6).
    logError(err, "a signup could not be stored");
    return refuse(formName, failed, { status: 503 });
  }
}
