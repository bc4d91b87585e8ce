import type { NoticeCode } from "~/content/notices";
import { isUuid } from "~/lib/uuid";
import type { Actor } from "~/services/audit/audit.server";
import type { createAutomaticEmails, Resending } from "~/services/automatic/automatic-emails.server";
import { newId } from "~/services/service-deps";
import { report } from "./action-result.server";

const PROBLEMS: Record<Extract<Resending, { ok: false }>["error"], NoticeCode> = {
  unknown: "automatic-email-gone",
  waiting: "automatic-email-waiting",
  "rule-off": "automatic-email-off",
  gone: "automatic-email-nobody",
  suppressed: "automatic-email-suppressed",
};

/**
 * Sends an automatic email again and returns to the page of the form.
 * @param fields.resend id that the page gave the form, so that it sends one email however often it is sent.
 */
export async function resendAutomaticEmail(
  { resend }: Pick<ReturnType<typeof createAutomaticEmails>, "resend">,
  fields: { readonly email?: string | undefined; readonly resend?: string | undefined },
  actor: Actor,
  page: string,
) {
  const { email = "", resend: typedId = "" } = fields;
  const outcome = await resend(email, isUuid(typedId) ? typedId : newId(), actor);
  return report(outcome.ok ? "automatic-email-resent" : PROBLEMS[outcome.error], page);
}
