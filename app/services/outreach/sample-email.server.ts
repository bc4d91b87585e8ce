import { createHash } from "node:crypto";
import { z } from "zod";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import { SEND_TIMEOUT_MS, type EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import { requesterData, toAuditOutcome, toRequester } from "~/services/mail/transactional/requested-email";
import type { Attempt, TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { createAudiences } from "~/services/audiences/audiences.server";
import { listFirst, type CampaignAudience } from "./audience.server";
import type { ComposeOutreach, OutreachDelivery } from "~/services/mail/email-parts";
import { findCampaign } from "./campaign-lists.server";
import { findFirstRecipient } from "./deliveries.server";
import type { Sample } from "~/lib/email-sample";
import { findTemplate } from "./templates.server";
import type { Campaign } from "~/db/tables/outreach";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";

interface SampleEmailDeps extends Pick<EmailSending, "database" | "mailDomain"> {
  readonly sender: Email["from"];
  readonly compose: ComposeOutreach;
  /** Absolute; identifies nobody. */
  readonly deadUnsubscribeUrl: string;
  /** Absolute; invites nobody. */
  readonly deadInviteUrl: string;
}

type SampleContent = CampaignAudience & Pick<Campaign, "title" | "message" | "format">;

/** Recipient of whom nothing is known. */
const NOBODY = { name: "", company: "", role: "" };

/** Whose email the samples are. */
interface SampleOptions {
  /** Address where the audience is empty. */
  readonly fallback: string;
  /** The first recipient of a confirmed campaign, null where none is left; left out: that of the audience as it is now. */
  readonly first?: Awaited<ReturnType<typeof findFirstRecipient>> | null;
}

/** Finds whose email each sample is: the first recipient's, of whom nothing is known when there is none. */
export async function findSampleRecipients(
  database: Database,
  audience: CampaignAudience,
  { fallback, first: confirmed }: SampleOptions,
): Promise<Record<Sample, OutreachDelivery["recipient"]>> {
  const { longRead } = database;
  const [first] =
    confirmed !== undefined
      ? [confirmed]
      : await listFirst({ longRead, audiences: createAudiences({ database }) }, audience, 1);
  const { name, company, role } = first ?? NOBODY;
  const address = first?.email ?? fallback;
  return { first: { name, company, role, address }, nameless: { ...NOBODY, address } };
}

/** Returns the samples with the size and a version of their HTML, which is served as a separate document (hardening C17). */
export function toPreviewText({ first, nameless }: Record<Sample, Email>) {
  return { first: leaveHtml(first), nameless: leaveHtml(nameless) };
}

function leaveHtml({ to, subject, text, html }: Email) {
  const version = createHash("sha256").update(html).digest("base64url").slice(0, 12);
  return { to, subject, text, htmlBytes: Buffer.byteLength(html), version };
}

/**
 * Composes the email as sending does, for the recipient of each sample. Its unsubscribe link is inert, so that a preview
 * unsubscribes nobody.
 */
async function composeSamples(
  deps: SampleEmailDeps,
  content: SampleContent,
  { id, ...whose }: SampleOptions & { id: string },
): Promise<Record<Sample, Email>> {
  const { title, message, format } = content;
  const composeFor = deps.compose({ title, message, format });
  const { first, nameless } = await findSampleRecipients(deps.database, content, whose);
  const compose = (recipient: OutreachDelivery["recipient"]) =>
    composeFor({
      recipient,
      sender: deps.sender,
      messageId: `<${id}@${deps.mailDomain}>`,
      unsubscribeUrl: deps.deadUnsubscribeUrl,
      inviteUrl: deps.deadInviteUrl,
    });
  return { first: compose(first), nameless: compose(nameless) };
}

/** Creates the previews of emails, which are neither stored nor sent. */
export function createEmailPreviews(deps: SampleEmailDeps) {
  /** @returns undefined when there is no such draft or campaign. */
  async function previewEmail(campaignId: string): Promise<Record<Sample, Email> | undefined> {
    const campaign = await findCampaign(deps.database.read, campaignId);
    if (!campaign) return undefined;
    // The audience as it is now need not have anybody who was chosen when it was confirmed.
    const isDraft = campaign.state === "draft";
    const isOver = campaign.state === "cancelled" || campaign.state === "finished";
    const first = isDraft ? undefined : await findFirstRecipient(deps.database.read, campaignId);
    return preview(campaign, first ?? (isOver ? null : undefined));
  }

  /**
   * Previews a template as the first recipient of a group would get it.
   * @returns undefined when there is no such template.
   */
  async function previewTemplate(id: string): Promise<Record<Sample, Email> | undefined> {
    const template = await findTemplate(deps.database.read, id);
    return template && preview({ ...template, audience: TEMPLATE_AUDIENCE });
  }

  function preview(content: SampleContent, first?: SampleOptions["first"]): Promise<Record<Sample, Email>> {
    return composeSamples(deps, content, { first, id: "preview", fallback: deps.sender.address });
  }

  return {
    previewEmail,
    previewTemplate,

    async previewText(campaignId: string) {
      const email = await previewEmail(campaignId);
      return email && toPreviewText(email);
    },

    async previewTemplateText(id: string) {
      const email = await previewTemplate(id);
      return email && toPreviewText(email);
    },
  };
}

/** A template has no recipients; the fields of this group's people show what its fields become. */
const TEMPLATE_AUDIENCE = "early-access";

/**
 * "suppressed": the address is on the suppression list. "uncertain": the email may arrive, or have arrived.
 * `reason`: the mail server's reply.
 */
export type TestEmailOutcome =
  | { ok: true }
  | { ok: false; error: "suppressed" }
  | { ok: false; error: "uncertain" }
  | { ok: false; error: "not-sent"; reason: string };

/** @param attempt undefined: it has not ended in time. */
export function toTestEmailOutcome(attempt: Attempt<unknown> | undefined): TestEmailOutcome {
  if (attempt?.kind === "suppressed") return { ok: false, error: "suppressed" };
  if (attempt?.kind !== "attempted" || attempt.outcome.kind === "unknown") {
    return { ok: false, error: "uncertain" };
  }
  const { kind: outcome, detail: reason } = attempt.outcome;
  return outcome === "accepted" ? { ok: true } : { ok: false, error: "not-sent", reason };
}

type TestEmail = SampleContent & { readonly address: string };

const testEmailData = z.object({ actor: requesterData });

export type TestEmailKind = EmailKind<z.infer<typeof testEmailData>>;

/** Creates the kind of test emails: each is a new one. */
export function createTestEmailKind(deps: Pick<ServiceDeps, "clock" | "newId">): TestEmailKind {
  const audit = createAudit(deps);
  return {
    name: "test",
    plural: "test emails",
    allowanceClass: "always",
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
    return toTestEmailOutcome(await within(SEND_TIMEOUT_MS, send(email, actor), setTimer));
  };

  async function send(email: TestEmail, actor: Actor) {
    const { address } = email;
    const { first } = await composeSamples(deps, email, { id: "test", fallback: address });
    const data = { actor: toRequester(actor) };
    const to = { name: "", address };
    const compose = (messageId: string) => ({
      ...first,
      messageId,
      to,
      autoSubmitted: "auto-generated" as const,
      headers: AUTOMATIC_HEADERS,
    });
    return emails.send(kind, { address, data }, { compose });
  }
}
