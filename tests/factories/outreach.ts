import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import { getCampaignFields } from "~/lib/merge-fields";
import { setProcessTimer, type SetTimer } from "~/lib/set-timer";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createCampaignWorker, type CampaignSending } from "~/services/outreach/campaign-jobs.server";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { ComposeOutreach } from "~/services/mail/email-parts";
import type { SendOutcome } from "~/services/mail/mailer";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import {
  createEmailPreviews,
  createTestEmail,
  createTestEmailKind,
} from "~/services/outreach/sample-email.server";
import type { Schedule } from "~/services/outreach/schedule";
import type { ReviewedCampaign } from "~/services/outreach/confirm.server";
import { newId } from "~/services/service-deps";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";
import { suppress as addSuppressions } from "~/services/suppressions/suppressions.server";
import { ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { createQueueOptions } from "./queue-options";
import { createTestClock, type TestClock } from "./time";
import { createTestEmails, sender } from "./transactional-emails";
import type { SubmissionKind } from "~/lib/form-fields";
import { storeSubmissions } from "./submissions";
import { yieldUntil } from "../wait-until";

export const operator = { by: "admin@example.com", network: "203.0.113.0", requestId: "request-1" };

/** Stores accepted early access signups in the given order. */
export async function signUp(
  database: Database,
  addresses: readonly string[],
  differing: Parameters<typeof storeSubmissions>[1][number] = {},
): Promise<void> {
  await storeSubmissions(
    database,
    addresses.map((email) => ({
      id: newId(),
      name: `Name of ${email}`,
      email,
      created_at: 1,
      ...differing,
    })),
  );
}

export function people(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `person${index + 1}@example.com`);
}

export async function suppress(
  database: Database,
  address: string,
  reason: SuppressionReason = "unsubscribed",
) {
  const one = { address, detail: "", deliveryId: null };
  await database.write((trx) => addSuppressions(trx, newId, reason, [one], 1));
}

const compose: ComposeOutreach =
  ({ title, message }) =>
  (delivery) => ({
    messageId: delivery.messageId,
    from: delivery.sender,
    to: { name: delivery.recipient.name, address: delivery.recipient.address },
    subject: title,
    text: `${message} ${delivery.unsubscribeUrl} ${delivery.inviteUrl ?? ""}`.trim(),
    html: "",
    headers: {},
  });

const sampleSettings = {
  compose,
  sender,
  mailDomain: "example.com",
  deadUnsubscribeUrl: "https://example.com/unsubscribe/preview",
  deadInviteUrl: "https://example.com/i/test",
};

/** Creates a function that sends a test email, by default to ada@example.com. */
export function createSendTest({
  database,
  mailer,
  clock,
  allowance,
  setTimer = setProcessTimer,
}: Pick<TransactionalSending, "database" | "mailer" | "allowance"> & {
  clock: TestClock;
  setTimer?: SetTimer;
}) {
  const kind = createTestEmailKind({ clock, newId });
  const emails = createTestEmails(database, clock, { mailer, allowance, kinds: [kind] });
  const send = createTestEmail({
    database,
    emails,
    kind,
    setTimer,
    ...sampleSettings,
  });
  const email = { title: "Hello", message: "Hello", format: "text", audience: "early-access" } as const;
  return (address = "ada@example.com") => send({ ...email, address }, operator);
}

interface OutreachSettings {
  holdMs?: number;
  perDay?: number;
}

/** Creates outreach on a database, with a mailer that answers by `script` and a clock the test moves. */
export function createTestOutreach(
  database: Database,
  script?: Script,
  { holdMs = 0, perDay = 0 }: OutreachSettings = {},
) {
  const clock = createTestClock();
  const mailer = new ScriptedMailer(script);
  let wake: () => void = () => undefined;
  const allowance = new DailyAllowance(perDay);
  const outreach = createOutreach({
    database,
    clock,
    newId,
    allowance,
    holdMs,
    fields: getCampaignFields(true),
    wake: () => wake(),
    settings: { ratePerSecond: 10, postalAddress: "", senderDomain: "example.com" },
  });

  return {
    clock,
    mailer,
    outreach,
    allowance,
    previews: createEmailPreviews({ database, ...sampleSettings }),
    /** Returns today's allowance. */
    getToday: () => allowance.getToday(database.read, clock()),
    campaignWorker,
    draft,
    review,
    confirm,
    confirmed,
    rows,
    states,
    getStats,
  };

  function campaignWorker(differing: Partial<CampaignSending & WorkerOptions> = {}) {
    const made = createCampaignWorker({
      ...createQueueOptions(database, clock),
      mailer,
      compose,
      allowance,
      resendAfterCrash: true,
      sender,
      // Not the recipients' domain: an id that ends in "ada" would be the address of Ada.
      mailDomain: "mail.example.com",
      unsubscribeUrl: (deliveryId) => `https://example.com/unsubscribe/${deliveryId}`,
      inviteUrl: ({ id, issue }) => `https://example.com/i/${id}_${issue}`,
      ...differing,
    });
    wake = made.wake;
    return made;
  }

  async function draft(
    differing: {
      audience?: SubmissionKind;
      narrowing?: string;
      title?: string;
      message?: string;
      id?: string;
    } = {},
  ) {
    const saving = await outreach.saveDraft({
      audience: "early-access",
      title: "We are live",
      message: "Come and see.",
      format: "text",
      testAddress: "",
      createdBy: operator.by,
      ...differing,
    });
    if (!saving.ok) throw new Error("The draft was changed by somebody else");
    return saving.id;
  }

  /** Returns what the confirmation step of a draft shows now. */
  async function review(campaignId: string): Promise<ReviewedCampaign> {
    const campaign = await outreach.findCampaign(campaignId);
    if (!campaign) throw new Error("There is no such draft");
    return (await outreach.getPreflight(campaign)).reviewed;
  }

  /** Confirms a draft as it was reviewed, or without `reviewed` as it is now. */
  async function confirm(
    campaignId: string,
    reviewed?: ReviewedCampaign,
    schedule?: Schedule,
    paceMs?: number,
  ) {
    return outreach.confirm(
      { campaignId, reviewed: reviewed ?? (await review(campaignId)), schedule, paceMs },
      operator,
    );
  }

  /** Creates a campaign and confirms it as it was shown. */
  async function confirmed(
    differing: { audience?: SubmissionKind; title?: string; schedule?: Schedule; paceMs?: number } = {},
  ): Promise<string> {
    const { schedule, paceMs, ...content } = differing;
    const campaignId = await draft(content);
    expect(await confirm(campaignId, undefined, schedule, paceMs)).toEqual({ ok: true, already: false });
    return campaignId;
  }

  function rows(campaignId: string) {
    const deliveries = database.read.selectFrom("deliveries").selectAll();
    return deliveries.where("campaign_id", "=", campaignId).orderBy("id").execute();
  }

  /** Returns the state of each delivery by its address. */
  async function states(campaignId: string): Promise<Record<string, string>> {
    return Object.fromEntries((await rows(campaignId)).map((row) => [row.address, row.state]));
  }

  /** Returns the campaign's stats; fails the test unless they add up and agree with the deliveries. */
  async function getStats(campaignId: string) {
    const stats = await outreach.getStats(campaignId);
    const all = await rows(campaignId);
    expect(stats.selected).toBe(all.length);
    // The stored counts equal the deliveries' states.
    for (const state of ["sent", "failed", "skipped", "uncertain", "retrying"] as const) {
      expect(all.filter((row) => row.state === state)).toHaveLength(stats[state]);
    }
    expect(stats.selected).toBe(stats.sent + stats.failed + stats.skipped + stats.uncertain + stats.pending);
    expect(Object.values(stats.skippedByReason).reduce((sum, count) => sum + count, 0)).toBe(stats.skipped);
    expect(new Set(all.map((row) => row.email_key)).size).toBe(all.length);
    expect(new Set(all.map((row) => row.message_id)).size).toBe(all.length);
    expect(all.filter((row) => row.state === "claimed")).toHaveLength(stats.inFlight);
    expect(all.filter((row) => (row.lease_owner !== "") !== (row.state === "claimed"))).toEqual([]);
    return stats;
  }
}

export interface CampaignSettings extends OutreachSettings {
  script?: Script;
  schedule?: Schedule;
  paceMs?: number;
  /** Of the worker that `tick` runs. */
  concurrency?: number;
}

/** Creates outreach, signs up people, and confirms a campaign to them. */
export async function createTestCampaign(
  database: Database,
  recipients: number | readonly string[],
  { script, schedule, paceMs, concurrency = 10, ...settings }: CampaignSettings = {},
) {
  await signUp(database, typeof recipients === "number" ? people(recipients) : recipients);
  const world = createTestOutreach(database, script, settings);
  const { outreach } = world;
  const campaignId = await world.confirmed({ ...(schedule && { schedule }), ...(paceMs && { paceMs }) });
  const getCampaign = async () => (await outreach.findCampaign(campaignId))!;
  const worker = world.campaignWorker({ concurrency });
  return {
    ...world,
    campaignId,
    /** Runs one worker until it has to wait. */
    tick: () => worker.tick(),
    getCampaign,
    getHoldReason: async () => outreach.getHoldReason(await getCampaign()),
    rows: () => world.rows(campaignId),
    states: () => world.states(campaignId),
    getStats: () => world.getStats(campaignId),
  };
}

/** Creates an email's outcome that comes when the test calls `release`. */
export function createLateOutcome() {
  const { promise: outcome, resolve: release } = Promise.withResolvers<SendOutcome>();
  return { outcome, release };
}

/** Timers that a test fires itself; `delays` lists how long the worker wanted to sleep, in milliseconds. */
export function createManualSleep() {
  let pending: (() => void) | undefined;
  const delays: number[] = [];
  return {
    delays,
    setTimer(ms: number, callback: () => void) {
      delays.push(ms);
      pending = callback;
      return () => (pending = undefined);
    },
    /** Fires the pending timer, or the next one. */
    async fire(): Promise<void> {
      await yieldUntil(() => pending !== undefined);
      pending?.();
      pending = undefined;
    },
  };
}

/** Sets a timer that fires at once. */
export function setImmediateTimer(_: number, callback: () => void): () => void {
  const pending = setImmediate(callback);
  return () => clearImmediate(pending);
}
