import type { ComposeOutreach } from "~/services/mail/email-parts";
import type { EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import type { Read, Write } from "~/db/database.server";
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
  type DeliveryJob,
  type OpenCampaign,
} from "./campaigns.server";
import { skipped, toResult } from "~/services/mail/delivery/delivery-result";
import type { DeliveryResult } from "~/services/mail/delivery/delivery-result";
import type { InviteLink } from "~/services/waves/invite-tokens.server";
import { loadInvitations } from "~/services/waves/wave-deliveries.server";
import { releaseInvitations, WAVE_CHUNK } from "~/services/waves/wave-invitations.server";
import { settle, settleWaves } from "./settle.server";
import { hasOnlyLaterWork, limitByPace, recordPace } from "./pace.server";
import { dropPreparation, snapshotAudience } from "./audience.server";
import { dropPeople } from "~/services/audiences/frozen-people.server";
import { selectSuppression } from "~/services/suppressions/suppressions.server";

export interface CampaignSending extends QueueOptions, EmailSending {
  readonly sender: Email["from"];
  /** A throw fails this one delivery. */
  readonly compose: ComposeOutreach;
  readonly unsubscribeUrl: (deliveryId: string) => string;
  readonly inviteUrl: (invitation: InviteLink) => string;
}

/**
 * Campaigns with work left, among them drafts whose earlier deliveries are to be dropped, and how many more emails campaigns may
 * send today.
 */
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
): JobType<ClaimedDelivery, DeliveryJob, DeliveryResult, Due> {
  const { database, clock, newId, allowance, compose, mailer, sender, unsubscribeUrl, inviteUrl } = options;
  const backoff = new Backoff();
  const claims = createGroupClaims("campaign_id", async (read, ids) => {
    const messages = await loadMessages(read, ids);
    return new Map([...messages].map(([id, content]) => [id, compose(content)] as const));
  });

  return {
    table: "deliveries",
    computed: selectSuppression("deliveries"),
    /** First attempts run in the order in which the deliveries were created. */
    order: "retries-first",

    async hasDue(now) {
      const { read } = database;
      const campaigns = (await listOpenCampaigns(read)).filter((campaign) => !isWaiting(campaign, now));
      if (campaigns.length === 0) return false;
      const isUsedUp = (await allowance.getToday(read, now))?.remainingForCampaigns === 0;
      for (const campaign of campaigns) {
        if (!(await hasOnlyLaterWork(read, campaign, { isUsedUp, now }))) return true;
      }
      return false;
    },

    async settle(trx, finished: readonly Finished<DeliveryJob, DeliveryResult>[], now) {
      // Locks the day before any campaign: an instance that waits for the day blocks no campaign of another one.
      await refundUntried(trx, allowance, finished);
      const allowed = await allowance.remaining(trx, "campaign", now);
      return { open: await settle(trx, { newId, backoff, now }, finished), allowed };
    },

    async claim(trx, { open, allowed }, { claimJobs, limit, now }) {
      const started = await startDue(trx, open, now);
      const ready = started.filter((campaign) => canSend(campaign, now));
      if (allowed === 0) {
        // The email that used up the allowance may have been a campaign's last one.
        for (const { id } of ready) await finishIfSettled(trx, id, now);
        return [];
      }
      const due = await limitByPace(trx, ready, now);
      const request = { claimJobs, limit: Math.min(limit, allowed), now };
      const rows = await claims.claim(trx, due, request, finishIfSettled);
      await allowance.consume(trx, rows.length, now);
      await recordPace(trx, due, rows);
      return addInvitations(trx, rows, toWaves(due));
    },

    withhold({ address, suppression, invitation }) {
      if (invitation === null) return skipped("no-invitation");
      if (suppression) return skipped(suppression === "unsubscribed" ? "unsubscribed" : "suppressed");
      return isPlainAddress(address) ? undefined : skipped("invalid");
    },

    async deliver(row) {
      const composeFor = claims.getContent(row.campaign_id);
      if (!composeFor) throw new Error("The campaign is gone");
      const email = composeFor({
        recipient: row,
        sender,
        messageId: row.message_id,
        unsubscribeUrl: unsubscribeUrl(row.id),
        inviteUrl: row.invitation ? inviteUrl(row.invitation) : undefined,
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

    async settleRecovered(trx, recovered, now) {
      const ids = [...new Set(recovered.map(({ row }) => row.campaign_id))];
      const waves = await fetchIds(
        trx.selectFrom("campaigns").select("id").where("id", "in", ids).where("wave", "is not", null),
      );
      const rows = await addInvitations(
        trx,
        recovered.map(({ row }) => row),
        new Set(waves),
      );
      await settleWaves(
        trx,
        rows.flatMap((row, at) => {
          const result = recovered[at]?.result;
          return result ? [{ row, result }] : [];
        }),
        now,
      );
    },

    async advance({ open }) {
      let hasMore = await advanceGroups(open, {
        snapshotAudience: (campaign) => snapshotAudience(options, campaign),
        skipRemaining: ({ id }) => database.write((trx) => skipRemaining(trx, id, clock())),
      });
      for (const { id, state } of open) {
        if (state === "draft" && (await database.write((trx) => dropPreparation(trx, id)))) hasMore = true;
      }
      return hasMore;
    },
  };
}

const toWaves = (campaigns: readonly OpenCampaign[]): ReadonlySet<string> =>
  new Set(campaigns.filter(({ wave }) => wave !== null).map(({ id }) => id));

/** Adds to the deliveries of waves the invitations that their emails carry. */
async function addInvitations(
  read: Read,
  rows: readonly ClaimedDelivery[],
  waves: ReadonlySet<string>,
): Promise<DeliveryJob[]> {
  const invitations = await loadInvitations(
    read,
    rows.filter((row) => waves.has(row.campaign_id)),
  );
  return rows.map((row) => {
    const invitation = invitations.get(row);
    return invitation === undefined ? row : { ...row, invitation };
  });
}

/** Skips the next waiting deliveries of a cancelled campaign, drops whom it had chosen, and finishes it once nothing is in flight. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  const jobs = { table: "deliveries", column: "campaign_id", id };
  if (await skipWaitingJobs(trx, jobs, { detail: "cancelled", now })) return true;
  // Nobody of a cancelled wave is invited any more, but for those whose email is on its way.
  if ((await releaseInvitations(trx, id)) === WAVE_CHUNK) return true;
  if (await dropPeople(trx, id)) return true;
  await finishIfSettled(trx, id, now);
  return false;
}
