import type { Write } from "~/db/database.server";
import type { EmailSending } from "~/services/mail/email-sending";
import { isAttempt, type Email } from "~/services/mail/mailer";
import { setProcessTimer, type SetTimer } from "~/services/service-deps";
import { listFirstRecipients } from "./audience.server";
import type { OutreachEmail } from "~/services/mail/compose";
import { findCampaign } from "./campaign-stats.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { createAudit, type Actor, type AuditEntry } from "~/services/audit/audit.server";
import { withSendTimeout } from "~/services/mail/send-timeout";
import { isSuppressed } from "~/services/suppressions/suppressions.server";

/** The email of a draft or campaign as its first recipient gets it. */
export type EmailPreview = Pick<Email, "to" | "subject" | "text" | "html">;

interface SampleEmailDeps extends Pick<EmailSending, "database" | "sender" | "mailDomain"> {
  readonly compose: (parts: OutreachEmail) => Email;
  /** Absolute; identifies nobody. */
  readonly deadUnsubscribeUrl: string;
}

/**
 * Composes the email as sending does, without storing or sending it. For an empty audience it has no recipient
 * name. Its unsubscribe link is inert, so that a preview unsubscribes nobody.
 */
export function createEmailPreviews(deps: SampleEmailDeps) {
  const { database, compose, sender, mailDomain, deadUnsubscribeUrl } = deps;
  /** @returns undefined when there is no such draft or campaign. */
  async function previewEmail(campaignId: string): Promise<EmailPreview | undefined> {
    const campaign = await findCampaign(database.read, campaignId);
    if (!campaign) return undefined;
    const [first] = await listFirstRecipients(database.read, campaign.audience, 1);
    return compose({
      title: campaign.title,
      message: campaign.message,
      sender,
      recipient: first ? { name: first.name, address: first.email } : { name: "", address: sender.address },
      messageId: `<preview@${mailDomain}>`,
      unsubscribeUrl: deadUnsubscribeUrl,
    });
  }

  return {
    previewEmail,

    /** Returns the preview without its HTML, which is served as a separate document (hardening C17). */
    async previewText(campaignId: string): Promise<Omit<EmailPreview, "html"> | undefined> {
      const email = await previewEmail(campaignId);
      return email && { to: email.to, subject: email.subject, text: email.text };
    },
  };
}

export interface TestEmail {
  readonly address: string;
  /** The subject. */
  readonly title: string;
  readonly message: string;
  /** The audience whose first recipient fills the merge fields. */
  readonly audience: SubmissionKind;
}

/**
 * "suppressed": the address is on the suppression list. "uncertain": the email may arrive, or have arrived.
 * `reason`: the mail server's reply.
 */
export type TestEmailOutcome =
  | { ok: true }
  | { ok: false; error: "suppressed" }
  | { ok: false; error: "uncertain" }
  | { ok: false; error: "not-sent"; reason: string };

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
    const sending = send(email, actor);
    // It may continue after the operator got a response, when nothing awaits it.
    sending.catch(() => undefined);
    return (
      (await withSendTimeout(sending, deps.setTimer ?? setProcessTimer)) ?? { ok: false, error: "uncertain" }
    );
  };

  async function send(email: TestEmail, actor: Actor): Promise<TestEmailOutcome> {
    const { address, title, message, audience } = email;
    const [first] = await listFirstRecipients(deps.database.read, audience, 1);
    const composed = deps.compose({
      title,
      message,
      recipient: { name: first?.name ?? "", address: first?.email ?? address },
      sender: deps.sender,
      messageId: `<${deps.newId()}@${deps.mailDomain}>`,
      unsubscribeUrl: deps.deadUnsubscribeUrl,
    });
    const outcome = await deps.mailer.send({ ...composed, to: { name: "", address }, headers: {} });
    const ok = outcome.kind === "accepted";
    await deps.database.write(async (trx) => {
      await deps.allowance.consume(trx, isAttempt(outcome) ? 1 : 0, deps.clock());
      await recordTest(trx, address, ok ? "ok" : "failed", actor);
    });
    if (outcome.kind === "unknown") return { ok: false, error: "uncertain" };
    return ok ? { ok: true } : { ok: false, error: "not-sent", reason: outcome.detail };
  }
}
