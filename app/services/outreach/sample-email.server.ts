import type { Database, Write } from "~/db/database.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import { listFirstRecipients } from "./audience.server";
import type { OutreachMail } from "~/services/mail/compose";
import { findCampaign } from "./campaign-stats.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { createAudit } from "~/services/audit/audit.server";
import type { Actor, AuditEntry } from "~/services/audit/audit.server";
import { setProcessTimer } from "~/services/clock";
import type { Clock, SetTimer } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { inTime } from "~/services/mail/in-time";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import type { DailyAllowance } from "./daily-allowance.server";
import { toResult } from "./delivery-result";
import { isAttempted } from "~/services/queue/job-type";

/** Of a draft or a campaign: the very mail, as the first of its group gets it. */
export type MailPreview = Pick<Mail, "to" | "subject" | "text" | "html">;

/**
 * Makes the mail as sending makes it, and keeps and sends nothing. Where the group is empty it is written to nobody in
 * particular. Its unsubscribe link is a dead one: reading a preview takes nobody off a list.
 */
export function createMailPreviews(deps: {
  database: Database;
  compose: (parts: OutreachMail) => Mail;
  sender: OutreachMail["sender"];
  mailDomain: string;
  /** Absolute, and knows nobody. */
  deadUnsubscribeUrl: string;
}) {
  const { database, compose, sender, mailDomain, deadUnsubscribeUrl } = deps;
  /** @returns undefined when there is no such draft or campaign. */
  async function previewMail(campaignId: string): Promise<MailPreview | undefined> {
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
    previewMail,

    /** The same without its HTML, which stands in a document of its own (hardening C17). */
    async previewText(campaignId: string): Promise<Omit<MailPreview, "html"> | undefined> {
      const mail = await previewMail(campaignId);
      return mail && { to: mail.to, subject: mail.subject, text: mail.text };
    },
  };
}

export interface TestMail {
  readonly address: string;
  /** As the subject shows it. */
  readonly title: string;
  readonly message: string;
  /** Whose first recipient the fields are filled from. */
  readonly audience: SubmissionKind;
}

/**
 * "suppressed": the address gets no mail any more, not this one either. "uncertain": it may arrive, or have arrived.
 * `reason`: the mail server's words.
 */
export type TestMailOutcome =
  | { ok: true }
  | { ok: false; error: "suppressed" }
  | { ok: false; error: "uncertain" }
  | { ok: false; error: "not-sent"; reason: string };

/** A mail before its first try. */
const NEVER = { attempts: 0, not_before: 0, detail: "" };

/**
 * Sends one email to an address the operator gives, now and once, outside of the ledger: the one that the first recipient of the
 * audience would get, with a sample of the unsubscribe link, which is nobody's. It has no List-Unsubscribe header, because its
 * reader is on no list. It is counted among the day's emails, and goes also when they are used up.
 */
export function createTestMail(deps: {
  database: Database;
  mailer: Mailer;
  compose: (parts: OutreachMail) => Mail;
  clock: Clock;
  newId: NewId;
  allowance: DailyAllowance;
  sender: OutreachMail["sender"];
  mailDomain: string;
  /** Absolute, and knows nobody. */
  deadUnsubscribeUrl: string;
  /** For tests. */
  setTimer?: SetTimer;
}) {
  const audit = createAudit(deps);
  const recordTest = (trx: Write, subject: string, outcome: AuditEntry["outcome"], actor: Actor) =>
    audit(trx, actor, { action: "send-test-mail", subject, outcome });

  return async (mail: TestMail, actor: Actor): Promise<TestMailOutcome> => {
    const { address } = mail;
    if (await isSuppressed(deps.database, address)) {
      await deps.database.write((trx) => recordTest(trx, address, "refused", actor));
      return { ok: false, error: "suppressed" };
    }
    const sending = send(mail, actor);
    // Nobody awaits one that goes on after the operator was told.
    sending.catch(() => undefined);
    return (await inTime(sending, deps.setTimer ?? setProcessTimer)) ?? { ok: false, error: "uncertain" };
  };

  async function send(mail: TestMail, actor: Actor): Promise<TestMailOutcome> {
    const { address, title, message, audience } = mail;
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
      const at = deps.clock();
      await deps.allowance.consume(
        trx,
        isAttempted({ row: NEVER, result: toResult(NEVER, outcome, at) }) ? 1 : 0,
        at,
      );
      await recordTest(trx, address, ok ? "ok" : "failed", actor);
    });
    if (outcome.kind === "unknown") return { ok: false, error: "uncertain" };
    return ok ? { ok: true } : { ok: false, error: "not-sent", reason: outcome.detail };
  }
}
