import type { Brand } from "~/content/brand";
import { days, hours, minutes } from "~/lib/durations";
import { pickOne } from "~/lib/random";
import { paths } from "~/paths";
import { composeOutreachEmail } from "~/emails/compose";
import type { OutreachEmail } from "~/services/mail/email-parts";
import type { Email, Mailer, SendOutcome } from "~/services/mail/mailer";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { Schedule } from "~/services/outreach/schedule";
import { createTestEmail, createTestEmailKind } from "~/services/outreach/sample-email.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import {
  createUnsubscribeTokens,
  createUnsubscribing,
  suppress,
} from "~/services/suppressions/suppressions.server";
import { onDay, type PastEvent, type PastTools } from "./past";
import type { SubmissionKind } from "~/lib/form-fields";

/** Returns the campaigns of the seeded period. */
function getCampaigns({ name, senderLabel }: Brand) {
  const signature = `\n\n${senderLabel}`;
  return {
    welcome: {
      audience: "early-access",
      title: "You are on the list, {{name}}",
      message: `Hello {{name}},\n\nthank you for asking for early access to ${name}. We let people in step by step and write to you as soon as it is your turn.${signature}`,
    },
    progress: {
      audience: "updates-signup",
      title: "What we have been building",
      message: `Hello {{name}},\n\nmeetings, tasks and chat now share one search, and notes write themselves into tasks. There is more at https://example.com/news.${signature}`,
    },
    thanks: {
      audience: "contact-form",
      title: "Thank you for writing to us",
      message: `Hello {{name}},\n\nwe have read your message and answer it within the week.${signature}`,
    },
    preview: {
      audience: "early-access",
      title: "A first look, for you",
      message: `Hello {{name}},\n\nthe preview opens today: https://example.com/preview. Tell us what is missing, we read everything.${signature}`,
    },
    invitation: {
      audience: "updates-signup",
      title: "Come and see it live",
      message: `Hello {{name}},\n\nwe show ${name} on Thursday at 16:00 UTC, with time for questions.${signature}`,
    },
    opening: {
      audience: "early-access",
      title: `${name} opens`,
      message: `Hello {{name}},\n\nfrom today on you can invite your whole team.${signature}`,
    },
    survey: {
      audience: "early-access",
      title: "Three questions about your week",
      message: "Hello {{name}},\n\nwhich meeting would you gladly be without?",
    },
  } as const satisfies Record<string, { audience: SubmissionKind; title: string; message: string }>;
}

type CampaignName = keyof ReturnType<typeof getCampaigns>;

/** Delays after which a temporary failure is retried. */
const RETRY_DELAYS = [minutes(20), hours(1), hours(3), hours(8), hours(24)];
const TEST_ADDRESS = "office@example.com";
const ACCEPTED: SendOutcome = { kind: "accepted", detail: "250 2.0.0 Queued." };
/** The maximum of email files on disk; more add nothing. */
const MAX_STORED_EMAILS = 200;

/**
 * Seeds campaigns in every state: finished with a few failures, cancelled, paused half way, paused by a rejected
 * login, scheduled, and drafts. None of them proceeds by itself when a server starts.
 */
export function createEmailEvents(
  tools: PastTools,
  deps: {
    /** Stores accepted emails as files. */
    outbox: Pick<Mailer, "send"> | undefined;
    concurrency: number;
    /** The product's origin, for the links in emails. */
    origin: string;
  },
): PastEvent[] {
  const { brand, random, now, operator } = tools;
  const { outbox, concurrency, origin } = deps;
  const texts = getCampaigns(brand);
  let respond: (email: Email) => SendOutcome | Promise<SendOutcome> = () => ACCEPTED;
  let stored = 0;
  // Contacts nobody.
  const mailer: Mailer = {
    name: "seed",
    async send(email) {
      const outcome = await respond(email);
      if (outcome.kind !== "accepted" || stored >= MAX_STORED_EMAILS) return outcome;
      stored += 1;
      return (await outbox?.send(email)) ?? outcome;
    },
    knows: async () => undefined,
    close: async () => undefined,
  };
  const tokens = createUnsubscribeTokens(tools.secrets.form);
  const sending = {
    ...tools,
    mailer,
    concurrency,
    allowance: new DailyAllowance(0),
    mailDomain: "example.com",
    rate: new TokenBucket(0, now),
    resendAfterCrash: false,
    compose: (email: OutreachEmail) => composeOutreachEmail({ ...email, brandName: brand.name }),
    sender: { name: brand.senderLabel, address: "hello@example.com" },
  };
  const worker = createCampaignWorker({
    ...sending,
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.createToken(deliveryId)),
  });
  const outreach = createOutreach({
    ...sending,
    holdMs: 0,
    wake: () => undefined,
    settings: { ratePerSecond: 0, postalAddress: "" },
  });
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  const kind = createTestEmailKind(tools);
  const emails = createTransactionalEmails({ ...sending, kinds: [kind] });
  const sendTestEmail = createTestEmail({ ...sending, emails, kind, deadUnsubscribeUrl });
  const unsubscribing = createUnsubscribing({ ...tools, tokens });
  const campaigns = new Map<CampaignName, string>();
  /** The position of each email in the order of first attempts. */
  const positions = new Map<string, number>();

  return [
    ...createCampaignEvents("welcome", onDay(now, 72), respondMixed),
    ...createCampaignEvents("progress", onDay(now, 43), respondMixed),
    ...createUnsubscribeEvents("welcome", [71, 66, 52]),
    ...createUnsubscribeEvents("progress", [42, 40, 31]),
    ...createCampaignEvents("thanks", onDay(now, 24), () => stopAfter(4, "thanks", "cancel")),
    {
      at: onDay(now, 5) - minutes(20),
      do: () => sendTestEmail({ address: TEST_ADDRESS, ...texts.preview }, operator()),
    },
    ...createCampaignEvents("preview", onDay(now, 5), () => stopAfter(20, "preview", "pause")),
    ...createCampaignEvents("invitation", onDay(now, 2), () => ({
      kind: "unauthorized",
      detail: "535 5.7.8 The user name or the password is not accepted.",
    })),
    { at: now - hours(4), do: () => confirm("opening", { beginAt: now + days(3), whenMissed: "wait" }) },
    { at: now - hours(4) + minutes(2), do: () => outreach.pause(getId("opening"), operator()) },
    { at: onDay(now, 6), do: () => draft("survey") },
  ];

  function createUnsubscribeEvents(name: CampaignName, daysAgo: readonly number[]): PastEvent[] {
    return daysAgo.map((ago) => ({ at: onDay(now, ago), do: () => unsubscribeOne(name) }));
  }

  function createCampaignEvents(name: CampaignName, at: number, response: typeof respond): PastEvent[] {
    const tick = async () => {
      respond = response;
      await worker.tick();
    };
    return [
      { at: at - minutes(30), do: () => draft(name) },
      { at, do: () => confirm(name) },
      { at: at + 1, do: tick },
      ...RETRY_DELAYS.map((delay) => ({ at: at + delay, do: tick })),
    ];
  }

  async function draft(name: CampaignName): Promise<void> {
    const { audience, title, message } = texts[name];
    const content = { audience, title, message, testAddress: TEST_ADDRESS, createdBy: operator().by };
    const outcome = await outreach.saveDraft(content);
    if (!outcome.ok) throw new Error("A new draft was changed before it was saved");
    campaigns.set(name, outcome.id);
  }

  async function confirm(name: CampaignName, schedule?: Schedule): Promise<void> {
    if (!campaigns.has(name)) await draft(name);
    const { reviewed } = await outreach.getPreflight(texts[name]);
    const outcome = await outreach.confirm({ campaignId: getId(name), reviewed, schedule }, operator());
    if (!outcome.ok) throw new Error(`A campaign could not be confirmed: ${outcome.error}`);
  }

  /** Accepts nearly all; a few mailboxes are missing or full, some deliveries are retried, one stays uncertain. */
  function respondMixed({ messageId }: Email): SendOutcome {
    const isFirst = !positions.has(messageId);
    if (isFirst) positions.set(messageId, positions.size);
    switch ((positions.get(messageId) ?? 0) % 23) {
      case 3:
        return { kind: "refused", code: 550, detail: "550 5.1.1 No such user here.", part: "recipient" };
      case 8:
        return { kind: "refused", code: 554, detail: "554 5.7.1 This message was not accepted." };
      case 11:
        return { kind: "deferred", code: 452, detail: "452 4.2.2 The mailbox is full." };
      case 14:
        return { kind: "unknown", detail: "The connection was lost after the message." };
      case 16:
      case 17:
        if (isFirst) return { kind: "deferred", code: 451, detail: "451 4.7.1 Greylisted, try again later." };
    }
    return ACCEPTED;
  }

  async function stopAfter(
    count: number,
    name: CampaignName,
    action: "pause" | "cancel",
  ): Promise<SendOutcome> {
    const { sent } = await outreach.getStats(getId(name));
    if (sent >= count) await outreach[action](getId(name), operator());
    return ACCEPTED;
  }

  async function unsubscribeOne(name: CampaignName): Promise<void> {
    const sent = await outreach.listDeliveries(getId(name), { state: "sent", limit: 40 });
    const { id } = pickOne(random, sent);
    await unsubscribing.unsubscribe(tokens.createToken(id), operator());
  }

  function getId(name: CampaignName): string {
    const id = campaigns.get(name);
    if (id === undefined) throw new Error(`There is no draft of ${name}`);
    return id;
  }
}

/** Seeds suppressed addresses other than unsubscribed ones: added, imported, bounced and complained. */
export function createSuppressionEvents({ database, clock, newId, now, operator }: PastTools): PastEvent[] {
  const list = createSuppressionList({ database, clock, newId });
  const imported = Array.from({ length: 9 }, (_, index) => `former.customer${index + 1}@example.net`);
  const report = (reason: "bounced" | "complained", address: string, detail: string) => () =>
    database.write((trx) => suppress(trx, newId, reason, [{ address, detail, deliveryId: null }], clock()));
  return [
    { at: onDay(now, 80), do: () => list.importAll(imported, operator()) },
    { at: onDay(now, 52), do: () => list.add("press@example.org", "Asked on the phone", operator()) },
    { at: onDay(now, 17), do: () => list.add("reception@example.com", "A shared mailbox", operator()) },
    { at: onDay(now, 39), do: report("bounced", "moved.away@example.org", "The mailbox was closed.") },
    { at: onDay(now, 30), do: report("complained", "not.amused@example.net", "Marked as unwanted.") },
  ];
}
