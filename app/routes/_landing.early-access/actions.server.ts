import { data } from "@remix-run/node";
import { z } from "zod";
import { readForm } from "~/form-data.server";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { messages } from "~/messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { signups } from "~/services/container.server";
import { serverBridge } from "../../../server/bridge";
import { EARLY_ACCESS_CONSENT } from "./consent";

const { failure } = messages.signup.earlyAccess;

const signupSchema = z.object({
  name: textField({ label: "your full name", max: 200, required: true }),
  email: emailField({ label: "your email address" }),
  company: textField({ label: "your company's name", max: 200 }),
  role: z
    .enum(["", "executive", "manager", "developer", "other"], { error: "Please choose one of the roles." })
    .default(""),
});

/** Stores the signup, then leads to the thank-you; whatever goes wrong, what was typed comes back. */
export async function submitEarlyAccess(request: Request) {
  const form = await readForm(request);
  const parsed = parseForm(signupSchema, form);
  if (!parsed.ok) return data({ ...parsed, failure: undefined }, { status: 422 });
  const { website = "", stamp = "", ...values } = typed(form);
  const refuse = (init: { status: number; headers?: Record<string, string> }) =>
    data({ values, errors: {}, failure }, init);

  try {
    const outcome = await signups.recordEarlyAccessSignup(parsed.value, {
      honeypot: website,
      stamp,
      consent: EARLY_ACCESS_CONSENT,
      address: originOf(request).address,
    });
    if (outcome.ok) return seeOther(`${paths.earlyAccess}?notice=registered`);
    return outcome.error === "limited"
      ? refuse({ status: 429, headers: { "Retry-After": String(outcome.retryAfterSeconds) } })
      : refuse({ status: 422 });
  } catch (err) {
    // A full disk or a database that is away: nothing was stored, and nothing is claimed (hardening R6).
    serverBridge().logger.error({ err, id: originOf(request).requestId }, "a signup could not be stored");
    return refuse({ status: 503 });
  }
}
