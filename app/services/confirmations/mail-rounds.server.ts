import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import { seconds } from "~/lib/durations";
import type { NewId } from "~/services/ids.server";
import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { interrupted, wasTried } from "~/services/outreach/ending";
import type { Ending } from "~/services/outreach/ending";
import { IS_DUE, orphaned, recordEndings, renewLeases, takeMails } from "~/services/outreach/leases.server";
import type { Holder } from "~/services/outreach/leases.server";
import { Outages } from "~/services/outreach/outages";
import type { TokenBucket } from "~/services/outreach/token-bucket";
import { suppress } from "~/services/suppressions/suppressions.server";
import { createWorker } from "~/services/worker.server";
import type { Rounds, Worker, WorkerOptions } from "~/services/worker.server";
import { CLAIMED_COLUMNS, deliverConfirmation, messageIdOf } from "./deliver-confirmation";
import type { Claimed, ConfirmationDelivery } from "./deliver-confirmation";

/** The waits of outreach's rounds, for the same reasons. */
const RENEW_MS = seconds(10);
const LOOK_FOR_ORPHANS_MS = seconds(5);
const IDLE_MS = seconds(1);

export interface ConfirmationMailOptions extends ConfirmationDelivery, WorkerOptions {
  readonly database: Database;
  readonly newId: NewId;
  readonly leaseTime: SharedTime;
  /** As of SendingOptions. */
  readonly instance: string;
  /** Mails at once. */
  readonly concurrency: number;
  /** Shared with outreach, so that both together stay below it. */
  readonly rate: TokenBucket;
  /** Shared too; these mails are counted and do not wait for it. */
  readonly allowance: DailyAllowance;
  /** Otherwise such a mail counts as perhaps sent, and its reader may ask for another one after an hour. */
  readonly resendAfterCrash: boolean;
}

/** The worker that sends them, until it is stopped. */
export function createConfirmationMails(options: ConfirmationMailOptions): Worker {
  return createWorker("the confirmation mail", () => new ConfirmationRounds(options), options);
}

const QUEUE = { queue: "confirmations", columns: CLAIMED_COLUMNS } as const;

/**
 * Sends the mails that ask for a confirmation: a round claims what is due, sends it and records how it ended. The rules
 * of what follows a refusal are outreach's; a mail whose link would work no more is given up.
 */
class ConfirmationRounds implements Rounds {
  /** Nothing is under way between rounds. */
  readonly inFlight = 0;
  readonly gathers = false;
  readonly #has: ConfirmationMailOptions;
  readonly #holder: Holder;
  readonly #outages = new Outages();
  /** What is not on disk yet, because a write failed. */
  #ended: { row: Claimed; ending: Ending }[] = [];
  #stopping = false;
  #waitsUntil = 0;
  #lookedForOrphansAt: number | undefined;

  constructor(options: ConfirmationMailOptions) {
    this.#has = options;
    const { database, instance, newId, leaseTime } = options;
    this.#holder = { dialect: database.dialect, owner: `${instance}/${newId()}`, leaseTime };
  }

  get idle(): boolean {
    return this.#ended.length === 0;
  }

  beginStopping(): void {
    this.#stopping = true;
  }

  async next(): Promise<number> {
    const { clock, rate } = this.#has;
    await this.#record();
    if (this.#stopping) return IDLE_MS;
    await this.#takeBackOrphans();
    const now = clock();
    if (now < this.#waitsUntil) return Math.min(IDLE_MS, this.#waitsUntil - now);
    const limit = Math.min(this.#has.concurrency, rate.available(now));
    if (limit === 0) return Math.min(IDLE_MS, rate.waitMs(now));
    const rows = await this.#claim(limit, now);
    rate.spend(rows.length);
    this.#ended = await this.#whileLeased(rows, () =>
      Promise.all(rows.map(async (row) => ({ row, ending: await deliverConfirmation(this.#has, row) }))),
    );
    await this.#record();
    return rows.length > 0 && rows.length === limit ? 0 : IDLE_MS;
  }

  async #claim(limit: number, now: number): Promise<Claimed[]> {
    const { database, allowance } = this.#has;
    const which = sql<boolean>`${IS_DUE} and not_before <= ${now}`;
    const due = database.read.selectFrom("confirmations").select("id").where(which).limit(1);
    if (!(await due.executeTakeFirst())) return [];
    return database.write(async (trx) => {
      const rows = await takeMails(trx, this.#holder, QUEUE, { which, limit, now });
      await allowance.count(trx, rows.length, now);
      return rows;
    });
  }

  /** A mail server may take longer than a lease. */
  async #whileLeased<T>(rows: readonly Claimed[], work: () => Promise<T>): Promise<T> {
    const { database } = this.#has;
    const ids = rows.map((row) => row.id);
    const renew = () => database.write((trx) => renewLeases(trx, QUEUE.queue, this.#holder, ids));
    // Two may fail; a database that stays away is noticed when the endings are written.
    const renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  async #record(): Promise<void> {
    if (this.#ended.length === 0) return;
    const { database, clock, newId, allowance } = this.#has;
    const now = clock();
    const untried = this.#ended.filter(({ row, ending }) => !wasTried(row, ending));
    await database.write(async (trx) => {
      await allowance.giveBack(
        trx,
        untried.map(({ row }) => row.updated_at),
      );
      await recordEndings(trx, QUEUE.queue, this.#holder.owner, this.#ended, now);
      const refused = this.#ended.filter(({ ending }) => ending.suppress);
      await suppress(
        trx,
        newId,
        "refused",
        refused.map(({ row, ending }) => ({
          address: row.address,
          detail: ending.detail,
          deliveryId: null,
        })),
        now,
      );
    });
    this.#learnOfServer(now);
    this.#ended = [];
  }

  /** A server that cannot be reached, or does not accept our login, is asked again after a while that grows. */
  #learnOfServer(now: number): void {
    const { log } = this.#has;
    const news = this.#ended.flatMap(({ ending }) => (ending.server ? [ending.server] : []));
    const trouble = news.find((one) => typeof one === "object");
    if (trouble) {
      if (this.#waitsUntil === 0) log.error(trouble, "confirmation mails wait for the mail server");
      this.#waitsUntil = this.#outages.waitUntil(QUEUE.queue, now);
    } else if (news.length > 0 && this.#waitsUntil > 0) {
      this.#outages.over(QUEUE.queue, now);
      this.#waitsUntil = 0;
      log.info({}, "confirmation mails go out again");
    }
  }

  /** Mails of which nobody heard how they ended: of instances that are gone, and of our own from before its start. */
  async #takeBackOrphans(): Promise<void> {
    const { database, mailer, clock, mailDomain, resendAfterCrash } = this.#has;
    const last = this.#lookedForOrphansAt;
    if (last !== undefined && Math.abs(clock() - last) < LOOK_FOR_ORPHANS_MS) return;
    const whose = { held: [], earlierLives: last === undefined };
    for (;;) {
      const now = clock();
      const which = orphaned(this.#holder, whose);
      const rows = await database.write((trx) =>
        takeMails(trx, this.#holder, QUEUE, { which, limit: this.#has.concurrency, now }),
      );
      if (rows.length === 0) break;
      const endings = rows.map(async (row) => {
        const known = await mailer.knows(messageIdOf(row, mailDomain));
        return { row, ending: interrupted(row, { known, mayRepeat: resendAfterCrash, now }) };
      });
      this.#ended = await Promise.all(endings);
      await this.#record();
    }
    this.#lookedForOrphansAt = clock();
  }
}
