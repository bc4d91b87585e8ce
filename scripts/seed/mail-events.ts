import { brand } from "~/content/brand";
import { days, hours, minutes } from "~/lib/durations";
import { pickOne } from "~/lib/random";
import { composeOutreachMail } from "~/services/mail/compose";
import type { Mail, MailOutcome } from "~/services/mail/mailer";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { Schedule } from "~/services/outreach/schedule";
import { createTestMail } from "~/services/outreach/sample-email.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createUnsubscribeTokens, createUnsubscribing } from "~/services/suppressions/suppressions.server";
import { CAMPAIGNS } from "./campaigns";
import type { CampaignName } from "./campaigns";
import type { SilentMailer } from "./silent-drivers";
import { onDay } from "./past";
import type { PastEvent, PastTools } from "./past";

/** Delays after which a temporary failure is retried. */
const LATER = [minutes(20), hours(1), hours(3), hours(8), hours(24)];
const TEST_ADDRESS = "office@example.com";

/**
 * Seeds campaigns in every state: finished with a few failures, cancelled, paused half way, paused by a refused
 * login, scheduled, and drafts. None of them proceeds by itself when a server starts.
 */
export function mailEvents(
  tools: PastTools,
  {
    mailer,
    concurrency,
    origin,
    unsubscribePath,
  }: {
    mailer: SilentMailer;
    concurrency: number;
    /** The product's origin, for the links in emails. */
    origin: string;
    unsubscribePath: (token: string) => string;
  },
): PastEvent[] {
  const { random, now, operator } = tools;
  const tokens = createUnsubscribeTokens(tools.secrets.form);
  const sending = {
    ...tools,
    mailer,
    concurrency,
    allowance: new DailyAllowance(0),
    mailDomain: "example.com",
    rate: new TokenBucket(0, now),
    resendAfterCrash: false,
    compose: composeOutreachMail,
    sender: { name: brand.senderLabel, address: "hello@example.com" },
  };
  const worker = createCampaignWorker({
    ...sending,
    unsubscribeUrl: (deliveryId) => origin + unsubscribePath(tokens.tokenFor(deliveryId)),
  });
  const outreach = createOutreach({
    ...sending,
    holdMs: 0,
    wake: () => undefined,
    settings: { ratePerSecond: 0, postalAddress: "" },
  });
  const sendTestMail = createTestMail({
    ...sending,
    deadUnsubscribeUrl: origin + unsubscribePath("preview"),
  });
  const unsubscribing = createUnsubscribing({ ...tools, tokens });
  const campaigns = new Map<CampaignName, string>();
  /** The position of each email in the order of first attempts. */
  const places = new Map<string, number>();

  return [
    ...campaignOf("welcome", onDay(now, 72), (mail) => mixed(mail)),
    ...campaignOf("progress", onDay(now, 43), (mail) => mixed(mail)),
    ...[71, 66, 52].map((ago) => ({ at: onDay(now, ago), do: () => unsubscribeOne("welcome") })),
    ...[42, 40, 31].map((ago) => ({ at: onDay(now, ago), do: () => unsubscribeOne("progress") })),
    ...campaignOf("thanks", onDay(now, 24), () => cancelAfter("thanks", 4)),
    { at: onDay(now, 5) - minutes(20), do: () => test("preview") },
    ...campaignOf("preview", onDay(now, 5), () => pauseAfter("preview", 20)),
    ...campaignOf("invitation", onDay(now, 2), () => ({
      kind: "unauthorized",
      detail: "535 5.7.8 The user name or the password is not accepted.",
    })),
    { at: now - hours(4), do: () => confirm("opening", { beginAt: now + days(3), whenMissed: "wait" }) },
    { at: now - hours(4) + minutes(2), do: () => outreach.pause(idOf("opening"), operator()) },
    { at: onDay(now, 6), do: () => draft("survey") },
    { at: now - hours(20), do: () => draft("webinar") },
    { at: now - minutes(40), do: () => draft("untitled") },
  ];

  function campaignOf(name: CampaignName, at: number, answer: SilentMailer["answer"]): PastEvent[] {
    const goOn = async () => {
      mailer.answer = answer;
      await worker.tick();
    };
    return [
      { at: at - minutes(30), do: () => draft(name) },
      { at, do: () => confirm(name) },
      { at: at + 1, do: goOn },
      ...LATER.map((later) => ({ at: at + later, do: goOn })),
    ];
  }

  async function draft(name: CampaignName): Promise<void> {
    const { audience, title, message } = CAMPAIGNS[name];
    const content = { audience, title, message, testAddress: TEST_ADDRESS, createdBy: operator().by };
    const saving = await outreach.saveDraft(content);
    if (!saving.ok) throw new Error("A new draft was changed before it was saved");
    campaigns.set(name, saving.id);
  }

  async function confirm(name: CampaignName, schedule?: Schedule): Promise<void> {
    if (!campaigns.has(name)) await draft(name);
    const { reviewed: question } = await outreach.getPreflight(CAMPAIGNS[name]);
    const outcome = await outreach.confirm(
      { campaignId: idOf(name), reviewed: question, schedule },
      operator(),
    );
    if (!outcome.ok) throw new Error(`A send could not be confirmed: ${outcome.error}`);
  }

  /** Accepts nearly all; a few addresses are gone or full, some are retried, one stays uncertain. */
  function mixed({ messageId }: Mail): MailOutcome {
    const isFirst = !places.has(messageId);
    if (isFirst) places.set(messageId, places.size);
    switch ((places.get(messageId) ?? 0) % 23) {
      case 3:
        return { kind: "refused", code: 550, detail: "550 5.1.1 No such user here." };
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
    return { kind: "accepted", detail: "250 2.0.0 Queued." };
  }

  async function pauseAfter(name: CampaignName, count: number): Promise<MailOutcome> {
    const { sent } = await outreach.getStats(idOf(name));
    if (sent >= count) await outreach.pause(idOf(name), operator());
    return { kind: "accepted", detail: "250 2.0.0 Queued." };
  }

  async function cancelAfter(name: CampaignName, count: number): Promise<MailOutcome> {
    const { sent } = await outreach.getStats(idOf(name));
    if (sent >= count) await outreach.cancel(idOf(name), operator());
    return { kind: "accepted", detail: "250 2.0.0 Queued." };
  }

  async function unsubscribeOne(name: CampaignName): Promise<void> {
    const sent = await outreach.listDeliveries(idOf(name), { state: "sent", limit: 40 });
    const { id } = pickOne(random, sent);
    await unsubscribing.unsubscribe(tokens.tokenFor(id), operator());
  }

  async function test(name: CampaignName): Promise<void> {
    const { title, message } = CAMPAIGNS[name];
    await sendTestMail({ address: TEST_ADDRESS, title, message, audience: "early-access" }, operator());
  }

  function idOf(name: CampaignName): string {
    const id = campaigns.get(name);
    if (id === undefined) throw new Error(`Nobody wrote ${name}`);
    return id;
  }
}
