import type { OutreachEmail } from "~/services/mail/compose";
import type { EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import type { Write } from "~/db/database.server";
import { Backoff } from "~/services/queue/backoff";
import { advanceGroups, claimRoundRobin, skipWaitingJobs } from "~/services/queue/groups.server";
import { isAttempted, type ClaimRequest, type Finished, type JobType } from "~/services/queue/job-type";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import {
  startDue,
  finishIfSettled,
  hasOpenDeliveries,
  isWaiting,
  loadMessages,
  canSend,
  listOpenCampaigns,
} from "./campaigns.server";
import { CLAIMED_COLUMNS, recoveredResult, skipWithheld, toResult } from "./delivery-result";
import type { ClaimedDelivery, DeliveryResult } from "./delivery-result";
import type { CampaignContent, OpenCampaign } from "./campaigns.server";
import { settle } from "./settle.server";
import { snapshotAudience } from "./audience.server";
import { selectSuppression } from "~/services/suppressions/suppressions.server";

export interface CampaignSending extends QueueOptions, EmailSending {
  /** A throw fails this one delivery. */
  readonly compose: (email: OutreachEmail) => Email;
  /** Whether an email that may have been sent before a crash is sent again; otherwise it stays uncertain. */
  readonly resendAfterCrash: boolean;
  readonly unsubscribeUrl: (deliveryId: string) => string;
}

/** Open campaigns, and how many more emails may be sent today. */
interface Due {
  readonly open: readonly OpenCampaign[];
  readonly allowed: number;
}

/** Sends the emails of confirmed campaigns until it is stopped. */
export function createCampaignWorker(options: CampaignSending & WorkerOptions): Worker {
  return createQueueWorker("outreach", new CampaignJobs(options), options);
}

/** Runs deliveries as jobs: within the daily allowance, round robin over campaigns, skipping suppressed addresses. */
class CampaignJobs implements JobType<ClaimedDelivery, ClaimedDelivery, DeliveryResult, Due> {
  readonly table = "deliveries";
  readonly columns = [...CLAIMED_COLUMNS, selectSuppression("deliveries")];
  /** First attempts run in the order of signup. */
  readonly order = "retries-first";
  readonly #options: CampaignSending;
  readonly #backoff = new Backoff();
  /** Content by campaign id. */
  #messages = new Map<string, CampaignContent>();
  #servedLast = "";

  constructor(options: CampaignSending) {
    this.#options = options;
  }

  async hasDue(now: number): Promise<boolean> {
    const open = await listOpenCampaigns(this.#options.database.read);
    return open.some((campaign) => !isWaiting(campaign, now));
  }

  async settle(
    trx: Write,
    finished: readonly Finished<ClaimedDelivery, DeliveryResult>[],
    now: number,
  ): Promise<Due> {
    const { allowance, newId } = this.#options;
    const untried = finished.filter((one) => !isAttempted(one));
    // Locks the day before any campaign: an instance that waits for the day blocks no campaign of another one.
    await allowance.refund(
      trx,
      untried.map(({ row }) => row.updated_at),
    );
    const allowed = await allowance.remaining(trx, now);
    return { open: await settle(trx, { newId, backoff: this.#backoff, now }, finished), allowed };
  }

  async claim(
    trx: Write,
    { open, allowed }: Due,
    { claimJobs, limit, now }: ClaimRequest<ClaimedDelivery>,
  ): Promise<readonly ClaimedDelivery[]> {
    const { allowance } = this.#options;
    const started = await startDue(trx, open, now);
    const due = started.filter((campaign) => canSend(campaign, now));
    const position = { column: "campaign_id", servedLast: this.#servedLast };
    const request = { claimJobs, limit: Math.min(limit, allowed), now };
    const rows = await claimRoundRobin(due, position, request, (id) => finishIfSettled(trx, id, now));
    await allowance.consume(trx, rows.length, now);
    this.#messages = await loadMessages(trx, this.#messages, rows);
    this.#servedLast = rows.at(-1)?.campaign_id ?? this.#servedLast;
    return rows;
  }

  withhold(row: ClaimedDelivery): DeliveryResult | undefined {
    return skipWithheld(row);
  }

  async deliver(row: ClaimedDelivery): Promise<DeliveryResult> {
    const { compose, mailer, sender, unsubscribeUrl, clock } = this.#options;
    const content = this.#messages.get(row.campaign_id);
    if (!content) throw new Error("The campaign is gone");
    const email = compose({
      ...content,
      recipient: { name: row.name, address: row.address },
      sender,
      messageId: row.message_id,
      unsubscribeUrl: unsubscribeUrl(row.id),
    });
    return toResult(row, await mailer.send(email), clock());
  }

  /** Asks the mailer which deliveries it handed over: one that it certainly did not is sent without a duplicate. */
  async recover(rows: readonly ClaimedDelivery[]): Promise<Finished<ClaimedDelivery, DeliveryResult>[]> {
    const { clock, database, mailer, resendAfterCrash } = this.#options;
    const campaigns = database.read
      .selectFrom("campaigns")
      .select("id")
      .where("id", "in", [...new Set(rows.map((row) => row.campaign_id))])
      .where("state", "=", "cancelled");
    const cancelled = new Set((await campaigns.execute()).map(({ id }) => id));
    return Promise.all(
      rows.map(async (row) => {
        // Never resends for a cancelled campaign: an operator decides whether the email arrived.
        const mayResend = resendAfterCrash && !cancelled.has(row.campaign_id);
        const known = await mailer.knows(row.message_id);
        return { row, result: recoveredResult(row, { known, mayResend, now: clock() }) };
      }),
    );
  }

  advance({ open }: Due): Promise<boolean> {
    const { database, clock } = this.#options;
    return advanceGroups(open, {
      snapshotAudience: (campaign) => snapshotAudience(this.#options, campaign),
      skipRemaining: ({ id }) => database.write((trx) => skipRemaining(trx, id, clock())),
    });
  }
}

/** Skips the next waiting deliveries of a cancelled campaign, and finishes it once nothing is in flight. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  const jobs = { table: "deliveries", column: "campaign_id", id };
  if (await skipWaitingJobs(trx, jobs, { detail: "cancelled", now })) return true;
  if (!(await hasOpenDeliveries(trx, id))) {
    await trx.updateTable("campaigns").set({ finished_at: now }).where("id", "=", id).execute();
  }
  return false;
}
