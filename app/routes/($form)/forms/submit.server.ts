import { data } from "@remix-run/node";
import type { z } from "zod";
import { readForm } from "~/http/form-data.server";
import { parseForm, typed } from "~/lib/parse-form";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { signups } from "~/services/container.server";
import type { FormCircumstances, SignupOutcome } from "~/services/signups/signups.server";
import { serverBridge } from "../../../../server/bridge";
import type { Consent } from "./consents";
import { THANKS_CODE, type FormAnswer } from "./form-state";

interface VisitorForm<Content extends Record<string, string>> {
  schema: z.ZodType<Content>;
  /** Resolved means on disk. */
  record: (content: Content, form: FormCircumstances) => Promise<SignupOutcome>;
  consent: Consent;
  /** The sentence for a failure that belongs to no field. */
  failure: string;
  /** The form's address, which also says thanks. A fragment stays at the end. */
  path: string;
}

/** Stores a visitor's form, then leads to its thanks; whatever goes wrong, what was typed comes back. */
export async function submit<Content extends Record<string, string>>(
  request: Request,
  { schema, record, consent, failure, path }: VisitorForm<Content>,
) {
  const form = await readForm(request);
  const { website = "", stamp = "", ...values } = typed(form);
  const refuse = (answer: Partial<FormAnswer>, init: { status: number; headers?: Record<string, string> }) =>
    data<FormAnswer>({ values, errors: {}, failure: undefined, stamp, ...answer }, init);

  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse({ errors: parsed.errors }, { status: 422 });
  const { address, requestId } = originOf(request);
  try {
    const outcome = await record(parsed.value, { honeypot: website, stamp, consent, address });
    if (outcome.ok) return seeOther(thanksPath(path));
    return outcome.error === "limited"
      ? refuse({ failure }, { status: 429, headers: { "Retry-After": String(outcome.retryAfterSeconds) } })
      : refuse({ failure, stamp: signups.stampForm() }, { status: 422 });
  } catch (err) {
    // A full disk or a database that is away: nothing was stored, and nothing is claimed (hardening R6).
    serverBridge().logger.error({ err, id: requestId }, "a signup could not be stored");
    return refuse({ failure }, { status: 503 });
  }
}

function thanksPath(path: string): string {
  const [address, fragment] = path.split("#");
  return `${address}?notice=${THANKS_CODE}${fragment ? `#${fragment}` : ""}`;
}
