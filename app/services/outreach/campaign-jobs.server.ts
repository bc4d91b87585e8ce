import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import { Backoff } from "~/services/queue/backoff";
import { advanceGroups, claimInTurn, skipWaitingJobs } from "~/services/queue/groups.server";
import { isAttempted } from "~/services/queue/job-type";
import type { ClaimJobs, Finished, JobType } from "~/services/queue/job-type";
import { IS_DUE, unseenText } from "~/services/queue/leases.server";
import { createQueueWorker } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { startDue } from "./start-due.server";
import { CLAIMED_COLUMNS, recoveredResult, skipWithheld, toResult } from "./delivery-result";
import type { ClaimedDelivery, DeliveryResult } from "./delivery-result";
import type { MessageContent, SendingOptions } from "./sending-options";
import {
  finishIfSettled,
  hasOpenRows,
  isAsleep,
  loadMessages,
  mayGoOut,
  openCampaigns,
} from "./campaigns.server";
import type { OpenCampaign } from "./campaigns.server";
import { settle } from "./settle.server";
import { snapshotAudience } from "./snapshot-audience.server";
import { suppressionOf } from "./suppression-of";

/** Open campaigns, and how many emails may go today. */
interface Due {
  readonly open: readonly OpenCampaign[];
  readonly allowed: number;
}

/** Sends the emails of confirmed campaigns until it is stopped. */
export function createCampaignWorker(options: SendingOptions & WorkerOptions): Worker {
  return createQueueWorker("outreach", new CampaignJobs(options), options);
}

/** The emails of campaigns as jobs: within the daily allowance, one campaign after the other, none to who may get none. */
class CampaignJobs implements JobType<ClaimedDelivery, ClaimedDelivery, DeliveryResult, Due> {
  readonly table = "deliveries";
  readonly columns = [...CLAIMED_COLUMNS, suppressionOf("deliveries")];
  /** First tries go in the order of signup. */
  readonly order = "retries-first";
  readonly #options: SendingOptions;
  readonly #backoff = new Backoff();
  /** By campaign. */
  #messages = new Map<string, MessageContent>();
  #servedLast = "";

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  async hasDue(now: number): Promise<boolean> {
    const open = await openCampaigns(this.#options.database.read);
    return open.some((campaign) => !isAsleep(campaign, now));
  }

  async settle(
    trx: Write,
    finished: readonly Finished<ClaimedDelivery, DeliveryResult>[],
    now: number,
  ): Promise<Due> {
    const { allowance, database, newId } = this.#options;
    const untried = finished.filter((one) => !isAttempted(one));
    // The day comes first: who waits for it holds no campaign another instance may need.
    await allowance.giveBack(
      trx,
      untried.map(({ row }) => row.updated_at),
    );
    const allowed = await allowance.left(trx, database.dialect, now);
    const by = { dialect: database.dialect, newId, backoff: this.#backoff, now };
    return { open: await settle(trx, by, finished), allowed };
  }

  async claim(
    trx: Write,
    { open, allowed }: Due,
    { claimJobs, limit, now }: { claimJobs: ClaimJobs<ClaimedDelivery>; limit: number; now: number },
  ): Promise<readonly ClaimedDelivery[]> {
    const { allowance, database } = this.#options;
    const started = await startDue(trx, open, now);
    const due = started.filter((campaign) => mayGoOut(campaign, now));
    const turn = { servedLast: this.#servedLast, limit: Math.min(limit, allowed) };
    const rows = await claimInTurn(due, turn, async ({ id }, most) => {
      const claimed = await claimJobs(
        sql`send_id = ${unseenText(id)} and ${IS_DUE} and not_before <= ${now}`,
        most,
      );
      if (claimed.length === 0) await finishIfSettled(trx, database.dialect, id, now);
      return claimed;
    });
    await allowance.count(trx, rows.length, now);
    this.#messages = await loadMessages(trx, this.#messages, rows);
    this.#servedLast = rows.at(-1)?.send_id ?? this.#servedLast;
    return rows;
  }

  withhold(row: ClaimedDelivery): DeliveryResult | undefined {
    return skipWithheld(row);
  }

  async deliver(row: ClaimedDelivery): Promise<DeliveryResult> {
    const { compose, mailer, sender, unsubscribeUrl, clock } = this.#options;
    const content = this.#messages.get(row.send_id);
    if (!content) throw new Error("The send is gone");
    const mail = compose({
      ...content,
      recipient: { name: row.name, address: row.address },
      sender,
      messageId: row.message_id,
      unsubscribeUrl: unsubscribeUrl(row.id),
    });
    return toResult(row, await mailer.send(mail), clock());
  }

  /** Which of them was begun, only the mailer may know. What was not begun was not sent: sending it is no duplicate. */
  async recover(rows: readonly ClaimedDelivery[]): Promise<Finished<ClaimedDelivery, DeliveryResult>[]> {
    const { clock, database, mailer, resendAfterCrash } = this.#options;
    const campaigns = database.read
      .selectFrom("sends")
      .select("id")
      .where("id", "in", [...new Set(rows.map((row) => row.send_id))])
      .where("state", "=", "cancelled");
    const cancelled = new Set((await campaigns.execute()).map(({ id }) => id));
    return Promise.all(
      rows.map(async (row) => {
        // Whether a cancelled email arrived is for an admin to say: it is not sent again to make sure.
        const mayResend = resendAfterCrash && !cancelled.has(row.send_id);
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

/** Skips what a cancelled campaign has left. With nothing in flight any more it is over. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  const jobs = { table: "deliveries", column: "send_id", id } as const;
  if (await skipWaitingJobs(trx, jobs, { detail: "cancelled", now })) return true;
  if (!(await hasOpenRows(trx, id))) {
    await trx.updateTable("sends").set({ finished_at: now }).where("id", "=", id).execute();
  }
  return false;
}
