import type { Write } from "~/db/database.server";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-content";
import { SEND_TIMEOUT_MS, type EmailSending } from "~/services/mail/email-sending";
import { isAttempt, type Email } from "~/services/mail/mailer";
import { listFirstRecipients } from "./audience.server";
import type { OutreachEmail } from "~/services/mail/compose";
import { findCampaign } from "./campaign-stats.server";
import type { Campaign } from "~/db/tables/outreach";
import { createAudit, type Actor, type AuditEntry } from "~/services/audit/audit.server";
import { isSuppressed } from "~/services/suppressions/suppressions.server";

interface SampleEmailDeps extends Pick<EmailSending, "database" | "sender" | "mailDomain"> {
  readonly compose: (parts: OutreachEmail) => Email;
  /** Absolute; identifies nobody. */
  readonly deadUnsubscribeUrl: string;
}

type SampleContent = Pick<Campaign, "audience" | "title" | "message">;

/**
 * Composes the email as sending does, for the first recipient of the audience, whose name is empty when there is
 * none. Its unsubscribe link is inert, so that a preview unsubscribes nobody.
 * @param fallback address in the email of an empty audience.
 */
async function composeSample(
  deps: SampleEmailDeps,
  { audience, title, message }: SampleContent,
  { id, fallback }: { id: string; fallback: string },
): Promise<Email> {
  const [first] = await listFirstRecipients(deps.database.read, audience, 1);
  return deps.compose({
    title,
    message,
    recipient: { name: first?.name ?? "", address: first?.email ?? fallback },
    sender: deps.sender,
    messageId: `<${id}@${deps.mailDomain}>`,
    unsubscribeUrl: deps.deadUnsubscribeUrl,
  });
}

/** Creates the previews of emails, which are neither stored nor sent. */
export function createEmailPreviews(deps: SampleEmailDeps) {
  /** @returns undefined when there is no such draft or campaign. */
  async function previewEmail(campaignId: string): Promise<Email | undefined> {
    const campaign = await findCampaign(deps.database.read, campaignId);
    return campaign && composeSample(deps, campaign, { id: "preview", fallback: deps.sender.address });
  }

  return {
    previewEmail,

    /** Returns the preview without its HTML, which is served as a separate document (hardening C17). */
    async previewText(campaignId: string) {
      const email = await previewEmail(campaignId);
      return email && { to: email.to, subject: email.subject, text: email.text };
    },
  };
}

/**
 * "suppressed": the address is on the suppression list. "uncertain": the email may arrive, or have arrived.
 * `reason`: the mail server's reply.
 */
type TestEmailOutcome =
  | { ok: true }
  | { ok: false; error: "suppressed" }
  | { ok: false; error: "uncertain" }
  | { ok: false; error: "not-sent"; reason: string };

type TestEmail = SampleContent & { readonly address: string };

interface TestEmailDeps extends SampleEmailDeps, EmailSending {
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Sends one email to an address the operator enters, immediately, once and without a delivery row. It has the
 * content the first recipient of the audience would get, with an inert unsubscribe link, and no
 * List-Unsubscribe header, because its reader is on no list. It counts towards the daily allowance, and is sent
 * even when that is used up.
 */
export function createTestEmail(deps: TestEmailDeps) {
  const audit = createAudit(deps);
  const recordTest = (trx: Write, subject: string, outcome: AuditEntry["outcome"], actor: Actor) =>
    audit(trx, actor, { action: "send-test-email", subject, outcome });

  return async (email: TestEmail, actor: Actor): Promise<TestEmailOutcome> => {
    const { address } = email;
    if (await isSuppressed(deps.database, address)) {
      await deps.database.write((trx) => recordTest(trx, address, "refused", actor));
      return { ok: false, error: "suppressed" };
    }
    const outcome = await within(SEND_TIMEOUT_MS, send(email, actor), deps.setTimer);
    return outcome ?? { ok: false, error: "uncertain" };
  };

  async function send(email: TestEmail, actor: Actor): Promise<TestEmailOutcome> {
    const { address } = email;
    const composed = await composeSample(deps, email, { id: deps.newId(), fallback: address });
    const outcome = await deps.mailer.send({
      ...composed,
      to: { name: "", address },
      headers: AUTOMATIC_HEADERS,
    });
    const ok = outcome.kind === "accepted";
    await deps.database.write(async (trx) => {
      await deps.allowance.consume(trx, isAttempt(outcome) ? 1 : 0, deps.clock());
      await recordTest(trx, address, ok ? "ok" : "failed", actor);
    });
    if (outcome.kind === "unknown") return { ok: false, error: "uncertain" };
    return ok ? { ok: true } : { ok: false, error: "not-sent", reason: outcome.detail };
  }
}
