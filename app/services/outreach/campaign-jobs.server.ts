import type { OutreachEmail } from "~/services/mail/email-parts";
import type { EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import type { Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { isPlainAddress } from "~/lib/email-address";
import { Backoff } from "~/services/mail/delivery/backoff";
import { recoverEmails, refundUntried } from "~/services/mail/delivery/settle.server";
import { advanceGroups, createGroupClaims, skipWaitingJobs } from "~/services/queue/groups.server";
import type { Finished, JobType } from "~/services/queue/job-type";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import {
  startDue,
  finishIfSettled,
  isWaiting,
  loadMessages,
  canSend,
  listOpenCampaigns,
  type ClaimedDelivery,
  type OpenCampaign,
} from "./campaigns.server";
import { skipped, toResult } from "~/services/mail/delivery/delivery-result";
import type { DeliveryResult } from "~/services/mail/delivery/delivery-result";
import { settle } from "./settle.server";
import { snapshotAudience } from "./audience.server";
import { selectSuppression } from "~/services/suppressions/suppressions.server";

export interface CampaignSending extends QueueOptions, EmailSending {
  readonly sender: Email["from"];
  /** A throw fails this one delivery. */
  readonly compose: (email: OutreachEmail) => Email;
  readonly unsubscribeUrl: (deliveryId: string) => string;
}

/** Open campaigns, and how many more emails may be sent today. */
interface Due {
  readonly open: readonly OpenCampaign[];
  readonly allowed: number;
}

/** Sends the emails of confirmed campaigns until it is stopped. */
export function createCampaignWorker(options: CampaignSending & WorkerOptions): Worker {
  return createQueueWorker("outreach", createCampaignJobs(options), options);
}

/** Runs deliveries as jobs: within the daily allowance, round robin over campaigns, skipping suppressed addresses. */
function createCampaignJobs(
  options: CampaignSending,
): JobType<ClaimedDelivery, ClaimedDelivery, DeliveryResult, Due> {
  const { database, clock, newId, allowance, compose, mailer, sender, unsubscribeUrl } = options;
  const backoff = new Backoff();
  const claims = createGroupClaims("campaign_id", loadMessages);

  return {
    table: "deliveries",
    computed: selectSuppression("deliveries"),
    /** First attempts run in the order of signup. */
    order: "retries-first",

    async hasDue(now) {
      const open = await listOpenCampaigns(database.read);
      return open.some((campaign) => !isWaiting(campaign, now));
    },

    async settle(trx, finished: readonly Finished<ClaimedDelivery, DeliveryResult>[], now) {
      // Locks the day before any campaign: an instance that waits for the day blocks no campaign of another one.
      await refundUntried(trx, allowance, finished);
      const allowed = await allowance.remaining(trx, now);
      return { open: await settle(trx, { newId, backoff, now }, finished), allowed };
    },

    async claim(trx, { open, allowed }, { claimJobs, limit, now }) {
      const started = await startDue(trx, open, now);
      const due = started.filter((campaign) => canSend(campaign, now));
      const request = { claimJobs, limit: Math.min(limit, allowed), now };
      const rows = await claims.claim(trx, due, request, finishIfSettled);
      await allowance.consume(trx, rows.length, now);
      return rows;
    },

    withhold({ address, suppression }) {
      if (suppression) return skipped(suppression === "unsubscribed" ? "unsubscribed" : "suppressed");
      return isPlainAddress(address) ? undefined : skipped("invalid");
    },

    async deliver(row) {
      const content = claims.getContent(row.campaign_id);
      if (!content) throw new Error("The campaign is gone");
      const email = compose({
        ...content,
        recipient: { name: row.name, address: row.address },
        sender,
        messageId: row.message_id,
        unsubscribeUrl: unsubscribeUrl(row.id),
      });
      return toResult(row, await mailer.send(email), clock());
    },

    async recover(rows) {
      const campaigns = database.read
        .selectFrom("campaigns")
        .select("id")
        .where("id", "in", [...new Set(rows.map((row) => row.campaign_id))])
        .where("state", "=", "cancelled");
      const cancelled = new Set(await fetchIds(campaigns));
      return recoverEmails(rows, {
        mailer,
        // Never resends for a cancelled campaign: an operator decides whether the email arrived.
        mayResend: (row) => options.resendAfterCrash && !cancelled.has(row.campaign_id),
        now: clock(),
      });
    },

    advance: ({ open }) =>
      advanceGroups(open, {
        snapshotAudience: (campaign) => snapshotAudience(options, campaign),
        skipRemaining: ({ id }) => database.write((trx) => skipRemaining(trx, id, clock())),
      }),
  };
}

/** Skips the next waiting deliveries of a cancelled campaign, and finishes it once nothing is in flight. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  const jobs = { table: "deliveries", column: "campaign_id", id };
  if (await skipWaitingJobs(trx, jobs, { detail: "cancelled", now })) return true;
  await finishIfSettled(trx, id, now);
  return false;
}
