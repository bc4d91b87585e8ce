import { z } from "zod";
import { getLandingTexts } from "~/content/landing";
import { messages } from "~/content/messages";
import { refuse } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin, logError } from "~/http/request-context.server";
import { emailField, parseForm, textField, firstValues } from "~/lib/parse-form";
import { brand, signups } from "~/services/container.server";
import { forms, THANKS_CODE, type FormName } from "./forms";
import {
  getFields,
  BOT_CHECK_INPUTS,
  SOURCE_INPUT,
  toColumns,
  type FieldRule,
  type FormColumns,
  type SubmissionKind,
} from "~/lib/form-fields";

/** Builds the schema of a form from its fields. */
function toSchema<Kind extends SubmissionKind>(kind: Kind) {
  const inputs = getFields(kind).map(({ input, rule }) => [input, toInput(rule)] as const);
  return z.object(Object.fromEntries(inputs)).transform((values) => toColumns(kind, values));
}

function toInput(rule: FieldRule) {
  switch (rule.kind) {
    case "text":
      return textField({
        label: rule.name,
        max: rule.max,
        required: rule.required,
        singleLine: !rule.multiline,
      });
    case "email":
      return emailField({ label: rule.name });
    case "choice": {
      const { choices, error } = rule;
      return rule.required ? z.enum(choices, { error }) : z.enum(["", ...choices], { error }).default("");
    }
  }
}

const earlyAccess = toSchema("early-access");
const updates = toSchema("updates-signup");
const contact = toSchema("contact-form");

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

/** Returns the words beside the form, with where their link leads. */
function toConsent(form: FormName) {
  const { consents, links } = getLandingTexts(brand);
  const link = brand.privacyUrl ? ` ${links.privacy}: ${brand.privacyUrl}` : "";
  return { version: consents.version, wording: consents[form] + link };
}

/** Stores a form, then redirects to its success message. @param failure for what belongs to no field. */
async function submit<Kind extends SubmissionKind>(
  request: Request,
  formName: FormName,
  kind: Kind,
  schema: z.ZodType<FormColumns[Kind]>,
  failure: string,
) {
  const { path, fragment } = forms[formName];
  const consent = toConsent(formName);
  const form = await readForm(request);
  const {
    [BOT_CHECK_INPUTS.honeypot]: honeypot = "",
    [BOT_CHECK_INPUTS.renderTime]: stamp = "",
    [SOURCE_INPUT]: source,
    ...values
  } = firstValues(form);
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse(formName, { values, errors: parsed.errors, stamp });
  const failed = { values, errors: {}, message: failure, stamp };
  const { address } = getRequestOrigin(request);
  try {
    const outcome = await signups.record(kind, parsed.value, {
      honeypot,
      stamp,
      consent,
      address,
      source,
    });
    if (outcome.ok) return seeOther(`${path}?notice=${THANKS_CODE}${fragment}`);
    return outcome.error === "limited"
      ? refuse(formName, failed, { status: 429, retryAfterSeconds: outcome.retryAfterSeconds })
      : refuse(formName, { ...failed, stamp: signups.restampForm() });
  } catch (err) {
    // A full disk or an unreachable database: nothing was stored, and the response does not claim it (hardening R6).
    logError(err, "a signup could not be stored");
    return refuse(formName, failed, { status: 503 });
  }
}
