import { z } from "zod";
import { days } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import { SEND_TIMEOUT_MS, type EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import { requesterData, toAuditOutcome } from "~/services/mail/transactional/requested-email";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { listFirstRecipients } from "./audience.server";
import type { OutreachEmail } from "~/services/mail/email-parts";
import { findCampaign } from "./campaign-stats.server";
import type { Campaign } from "~/db/tables/outreach";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";

interface SampleEmailDeps extends Pick<EmailSending, "database" | "mailDomain"> {
  readonly sender: Email["from"];
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

const testEmailData = z.object({ actor: requesterData });

export type TestEmailKind = EmailKind<z.infer<typeof testEmailData>>;

/** Creates the kind of test emails: each is a new one. */
export function createTestEmailKind(deps: Pick<ServiceDeps, "clock" | "newId">): TestEmailKind {
  const audit = createAudit(deps);
  return {
    name: "test",
    plural: "test emails",
    data: testEmailData,
    getKey: () => undefined,
    retentionMs: days(30),
    async recordEnd(trx, { address, data }, result) {
      const outcome = toAuditOutcome(result);
      await audit(trx, data.actor, { action: "send-test-email", subject: address, outcome });
    },
  };
}

interface TestEmailDeps extends SampleEmailDeps {
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly kind: TestEmailKind;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Sends one email to an address the operator enters, at once and once. It has the content the first recipient of the
 * audience would get, with an inert unsubscribe link, and no List-Unsubscribe header, because its reader is on no
 * list. It counts towards the daily allowance, and is sent even when that is used up.
 */
export function createTestEmail(deps: TestEmailDeps) {
  const { emails, kind, setTimer } = deps;

  return async (email: TestEmail, actor: Actor): Promise<TestEmailOutcome> => {
    const attempt = await within(SEND_TIMEOUT_MS, send(email, actor), setTimer);
    if (attempt?.kind === "suppressed") return { ok: false, error: "suppressed" };
    if (attempt?.kind !== "attempted" || attempt.outcome.kind === "unknown") {
      return { ok: false, error: "uncertain" };
    }
    const { kind: outcome, detail: reason } = attempt.outcome;
    return outcome === "accepted" ? { ok: true } : { ok: false, error: "not-sent", reason };
  };

  async function send(email: TestEmail, { by, network, requestId }: Actor) {
    const { address } = email;
    const sample = await composeSample(deps, email, { id: "test", fallback: address });
    const data = { actor: { by, network, requestId } };
    const to = { name: "", address };
    const compose = (messageId: string) => ({
      ...sample,
      messageId,
      to,
      autoSubmitted: "auto-generated" as const,
      headers: AUTOMATIC_HEADERS,
    });
    return emails.send(kind, { address, data }, { compose });
  }
}
