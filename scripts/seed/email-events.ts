import type { Brand } from "~/content/brand";
import { days, hours, minutes } from "~/lib/durations";
import { getCampaignFields } from "~/lib/merge-fields";
import { pickOne } from "~/lib/random";
import { paths } from "~/paths";
import { composeOutreachEmails } from "~/emails/compose";
import type { OutreachContent } from "~/services/mail/email-parts";
import type { Email, Mailer, SendOutcome } from "~/services/mail/mailer";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { formatNarrowing } from "~/services/audiences/narrowing";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { Schedule } from "~/services/outreach/schedule";
import { createTemplates, type TemplateContent } from "~/services/outreach/templates.server";
import { createTestEmail, createTestEmailKind } from "~/services/outreach/sample-email.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import {
  createUnsubscribeTokens,
  createUnsubscribing,
  suppress,
} from "~/services/suppressions/suppressions.server";
import { createInviteLinks, TEST_CODE } from "~/services/waves/invite-links.server";
import { createInviteTokens } from "~/services/waves/invite-tokens.server";
import { createJoins } from "~/services/waves/joins.server";
import { createWavePlans } from "~/services/waves/wave-plans.server";
import { markInvitationsUndeliverable } from "~/services/waves/wave-deliveries.server";
import { onDay, type PastEvent, type PastTools } from "./past";
import type { SubmissionKind } from "~/lib/form-fields";
import type { MessageFormat } from "~/lib/message-format";

/** Returns the campaigns of the seeded period. */
function getCampaigns({ name, senderLabel }: Brand) {
  const signature = `\n\n${senderLabel}`;
  return {
    welcome: {
      audience: "early-access",
      format: "text",
      title: "You are on the list, {{name}}",
      message: `Hello {{name}},\n\nthank you for asking for early access to ${name}. We let people in step by step and write to you as soon as it is your turn.${signature}`,
    },
    progress: {
      audience: "updates-signup",
      format: "markdown",
      title: "What we have been building",
      message: `Hello {{name}},\n\nthree things are new:\n\n- meetings, tasks and chat share **one search**\n- notes write themselves into tasks\n- a week fits on one screen\n\n[Read more](https://example.com/news "button")${signature}`,
    },
    thanks: {
      audience: "contact-form",
      format: "markdown",
      title: "Thank you for writing to us",
      message: `Hello {{name}},\n\nwe have read your message and answer it within the week.${signature}`,
    },
    preview: {
      audience: "early-access",
      narrowing: formatNarrowing({ order: "oldest", limit: 60 }),
      format: "markdown",
      title: "A first look, for you",
      message: `Hello {{first_name|there}},\n\nthe preview opens today.\n\n[Open the preview](https://example.com/preview "button")\n\nTell us what is missing, we read everything.${signature}`,
    },
    firstWave: {
      audience: "early-access",
      narrowing: formatNarrowing({ order: "oldest", limit: 20 }),
      format: "markdown",
      title: "Come in, {{first_name|there}}",
      message: `Hello {{first_name|there}},\n\nit is your turn: ${name} is open for you.\n\n[Join]({{invite_link}} "button")${signature}`,
    },
    secondWave: {
      audience: "early-access",
      narrowing: formatNarrowing({ order: "oldest", limit: 15, perDomain: 3 }),
      format: "markdown",
      title: "It is your turn, {{first_name|there}}",
      message: `Hello {{first_name|there}},\n\nwe let in the next ones today, and you are among them.\n\n[Join]({{invite_link}} "button")${signature}`,
    },
    invitation: {
      audience: "updates-signup",
      format: "markdown",
      title: "Come and see it live",
      message: `Hello {{name}},\n\nwe show ${name} on Thursday at 16:00 UTC, with time for questions.${signature}`,
    },
    opening: {
      audience: "early-access",
      format: "markdown",
      title: `${name} opens`,
      message: `Hello {{name}},\n\nfrom today on you can invite your whole team.${signature}`,
    },
    survey: {
      audience: "early-access",
      narrowing: formatNarrowing({ role: "developer", order: "spread", limit: 25, perDomain: 3 }),
      format: "markdown",
      title: "Three questions about your week",
      message: "Hello {{name}},\n\nwhich meeting would you gladly be without?",
    },
  } as const satisfies Record<
    string,
    { audience: SubmissionKind; narrowing?: string; format: MessageFormat; title: string; message: string }
  >;
}

type CampaignName = keyof ReturnType<typeof getCampaigns>;

/** Returns the templates, with the campaigns that started from each and the group each is the default of. */
function getTemplates({ name, senderLabel }: Brand): readonly SeededTemplate[] {
  const signature = `\n\n${senderLabel}`;
  return [
    {
      name: "Welcome",
      format: "text",
      title: "You are on the list, {{name}}",
      message: `Hello {{name}},\n\nthank you for asking for early access to ${name}.${signature}`,
      campaigns: ["welcome"],
      audience: "early-access",
    },
    {
      name: "News of the month",
      format: "markdown",
      title: "What we have been building",
      message: `Hello {{first_name|there}},\n\nthree things are new:\n\n- \n- \n- \n\n[Read more](https://example.com/news "button")${signature}`,
      campaigns: ["progress"],
      audience: "updates-signup",
    },
    {
      name: "Invitation to an event",
      format: "markdown",
      title: "Come and see it live",
      message: `Hello {{first_name|there}},\n\nwe show ${name} on Thursday at 16:00 UTC, with time for questions.${signature}`,
      campaigns: ["invitation"],
    },
  ];
}

interface SeededTemplate extends TemplateContent {
  readonly campaigns: readonly CampaignName[];
  readonly audience?: SubmissionKind;
}

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
  const inviteTokens = createInviteTokens(tools.secrets.form);
  const inviting = {
    ...tools,
    tokens: inviteTokens,
    settings: { url: "https://app.example.com/join?code={code}", days: 0, isBound: false },
  };
  const links = createInviteLinks(inviting);
  const joins = createJoins(inviting);
  const sending = {
    ...tools,
    mailer,
    concurrency,
    allowance: new DailyAllowance(0),
    mailDomain: "example.com",
    rate: new TokenBucket(0, now),
    resendAfterCrash: false,
    compose: (content: OutreachContent) => composeOutreachEmails({ ...content, brandName: brand.name }),
    sender: { name: brand.senderLabel, address: "hello@example.com" },
  };
  const worker = createCampaignWorker({
    ...sending,
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.createToken(deliveryId)),
    inviteUrl: (link) => origin + paths.invite(inviteTokens.createToken(link)),
  });
  const outreach = createOutreach({
    ...sending,
    holdMs: 0,
    wake: () => undefined,
    fields: getCampaignFields(true),
    settings: { ratePerSecond: 0, postalAddress: "", senderDomain: "example.com" },
  });
  const plans = createWavePlans({ ...tools, outreach });
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  const deadInviteUrl = origin + paths.invite(TEST_CODE);
  const kind = createTestEmailKind(tools);
  const emails = createTransactionalEmails({ ...sending, kinds: [kind] });
  const sendTestEmail = createTestEmail({ ...sending, emails, kind, deadUnsubscribeUrl, deadInviteUrl });
  const unsubscribing = createUnsubscribing({ ...tools, tokens });
  const templates = createTemplates(tools);
  const campaigns = new Map<CampaignName, string>();
  /** The ids of the templates that campaigns started from. */
  const templateIds = new Map<CampaignName, string>();
  /** The position of each email in the order of first attempts. */
  const positions = new Map<string, number>();

  return [
    ...getTemplates(brand).map((template, index) => ({
      at: onDay(now, 74) + minutes(12 * index),
      do: () => saveTemplate(template),
    })),
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
    ...createCampaignEvents("firstWave", onDay(now, 16), () => ACCEPTED),
    ...createCampaignEvents("secondWave", onDay(now, 9), respondMixed),
    { at: onDay(now, 15), do: () => comeIn("firstWave", { opened: 12, joined: 9, returned: 1 }) },
    { at: onDay(now, 8), do: () => comeIn("secondWave", { opened: 6, joined: 3, returned: 1 }) },
    { at: onDay(now, 7), do: () => plans.stop(getId("secondWave"), operator()) },
    ...createCampaignEvents("invitation", onDay(now, 2), () => ({
      kind: "unauthorized",
      detail: "535 5.7.8 The user name or the password is not accepted.",
    })),
    {
      at: now - hours(4),
      do: () => confirm("opening", { beginAt: now + days(3), whenMissed: "wait" }, hours(6)),
    },
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

  async function saveTemplate({ campaigns, audience, ...content }: SeededTemplate): Promise<void> {
    const outcome = await templates.create(content, operator(), audience && [audience]);
    if (!outcome.ok) throw new Error(`A template could not be saved: ${outcome.error}`);
    for (const name of campaigns) templateIds.set(name, outcome.id);
  }

  async function draft(name: CampaignName): Promise<void> {
    const templateId = templateIds.get(name);
    const content = { ...texts[name], templateId, testAddress: TEST_ADDRESS, createdBy: operator().by };
    const outcome = await outreach.saveDraft(content);
    if (!outcome.ok) throw new Error("A new draft was changed before it was saved");
    campaigns.set(name, outcome.id);
  }

  async function confirm(name: CampaignName, schedule?: Schedule, paceMs?: number): Promise<void> {
    if (!campaigns.has(name)) await draft(name);
    const { reviewed } = await outreach.getPreflight({
      ...texts[name],
      template_id: templateIds.get(name) ?? null,
    });
    const outcome = await outreach.confirm(
      {
        campaignId: getId(name),
        reviewed,
        schedule,
        paceMs,
        repeating: name === "secondWave" ? { repeats: "week", timeZone: "UTC" } : undefined,
      },
      operator(),
    );
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

  /** Lets people of a wave open their links and join, the last of these with another address; some emails come back. */
  async function comeIn(
    name: "firstWave" | "secondWave",
    { opened, joined, returned }: { opened: number; joined: number; returned: number },
  ): Promise<void> {
    const invited = await tools.database.read
      .selectFrom("wave_invitations")
      .innerJoin("people", "people.id", "person_id")
      .select(["wave_invitations.id", "issue", "email", "email_key"])
      .where("campaign_id", "=", getId(name))
      .where("state", "=", "invited")
      .orderBy("wave_invitations.id")
      .execute();
    for (const [index, link] of invited.slice(0, opened).entries()) {
      const code = inviteTokens.createToken(link);
      await links.open(code, { address: `192.0.2.${index}`, isNavigation: true });
      const email = index === joined - 1 ? "private@example.net" : link.email;
      if (index < joined) await joins.record([{ code, email }]);
    }
    const back = invited.slice(invited.length - returned);
    await tools.database.write((trx) =>
      markInvitationsUndeliverable(
        trx,
        back.map(({ email_key }) => ({ email_key, campaign_id: getId(name) })),
        tools.clock(),
      ),
    );
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
    { at: onDay(now, 80), do: () => list.importAll({ addresses: imported, optOuts: new Set() }, operator()) },
    { at: onDay(now, 52), do: () => list.add("press@example.org", "Asked on the phone", operator()) },
    { at: onDay(now, 17), do: () => list.add("reception@example.com", "A shared mailbox", operator()) },
    { at: onDay(now, 39), do: report("bounced", "moved.away@example.org", "The mailbox was closed.") },
    { at: onDay(now, 30), do: report("complained", "not.amused@example.net", "Marked as unwanted.") },
  ];
}
