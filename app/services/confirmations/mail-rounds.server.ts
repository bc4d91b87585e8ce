import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import type { NewId } from "~/services/ids.server";
import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { givenBack, interrupted, wasTried } from "~/services/outreach/ending";
import type { Ending } from "~/services/outreach/ending";
import { IS_DUE, markResent, orphaned, recordEndings, takeMails } from "~/services/outreach/leases.server";
import { IDLE_MS, LedgerRounds } from "~/services/outreach/ledger-rounds.server";
import { Outages } from "~/services/outreach/outages";
import type { TokenBucket } from "~/services/outreach/token-bucket";
import { suppress } from "~/services/suppressions/suppressions.server";
import { createWorker } from "~/services/worker.server";
import type { Worker, WorkerOptions } from "~/services/worker.server";
import { CLAIMED_COLUMNS, deliverConfirmation, messageIdOf } from "./deliver-confirmation";
import type { Claimed, ConfirmationDelivery } from "./deliver-confirmation";

interface Ended {
  readonly row: Claimed;
  readonly ending: Ending;
}

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
  return createWorker("the confirmation mail", (wake) => new ConfirmationRounds(options, wake), options);
}

const QUEUE = { queue: "confirmations", columns: CLAIMED_COLUMNS } as const;

/**
 * Sends the mails that ask for a confirmation. The rules of what follows a refusal are outreach's; a mail whose link would
 * work no more is given up, and one that perhaps arrived is not sent again: its reader may ask for another one.
 */
class ConfirmationRounds extends LedgerRounds<Claimed, Ending, never> {
  readonly #has: ConfirmationMailOptions;
  readonly #outages = new Outages();
  #waitsUntil = 0;

  constructor(options: ConfirmationMailOptions, onEnding: () => void) {
    super(QUEUE.queue, options, onEnding);
    this.#has = options;
  }

  protected override async recordAndBegin(): Promise<{ open: readonly never[]; waitMs: number }> {
    const ended = [...this.rows.ended];
    await this.#record(ended);
    this.rows.recorded(ended.length);
    return { open: [], waitMs: await this.#beginDue() };
  }

  /** @returns for how long nothing is due. */
  async #beginDue(): Promise<number> {
    const { clock, rate } = this.#has;
    const now = clock();
    if (now < this.#waitsUntil) return Math.min(IDLE_MS, this.#waitsUntil - now);
    const rated = this.rated(0, now);
    const rows = rated > 0 ? await this.#claim(rated, now) : [];
    for (const row of rows) this.#begin(row);
    rate.spend(rows.length);
    return this.waitAfter(rows.length, rated, now);
  }

  #begin(row: Claimed): void {
    this.rows.hold(row);
    if (this.stopping) this.rows.end(row, givenBack(row));
    else void deliverConfirmation(this.#has, row).then((ending) => this.rows.end(row, ending));
  }

  async #claim(limit: number, now: number): Promise<Claimed[]> {
    const { database, allowance } = this.#has;
    const which = sql<boolean>`${IS_DUE} and not_before <= ${now}`;
    const due = database.read.selectFrom("confirmations").select("id").where(which).limit(1);
    if (!(await due.executeTakeFirst())) return [];
    return database.write(async (trx) => {
      const rows = await takeMails(trx, this.holder, QUEUE, { which, limit, now });
      await allowance.count(trx, rows.length, now);
      return rows;
    });
  }

  async #record(ended: readonly Ended[]): Promise<void> {
    if (ended.length === 0) return;
    const { database, clock, newId, allowance } = this.#has;
    const now = clock();
    const untried = ended.filter(({ row, ending }) => !wasTried(row, ending));
    const resent = ended.filter(({ ending }) => ending.isResend).map(({ row }) => row.id);
    const refused = ended.filter(({ ending }) => ending.suppress);
    await database.write(async (trx) => {
      await allowance.giveBack(
        trx,
        untried.map(({ row }) => row.updated_at),
      );
      await markResent(trx, QUEUE.queue, this.holder.owner, resent);
      await recordEndings(trx, QUEUE.queue, this.holder.owner, ended, now);
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
    this.#learnOfServer(ended, now);
  }

  /** A server that cannot be reached, or does not accept our login, is asked again after a while that grows. */
  #learnOfServer(ended: readonly Ended[], now: number): void {
    const { log } = this.#has;
    const news = ended.flatMap(({ ending }) => (ending.server ? [ending.server] : []));
    const trouble = news.find((one) => typeof one === "object");
    if (trouble) {
      if (this.#waitsUntil === 0) log.error(trouble, "confirmation mails wait for the mail server");
      this.#waitsUntil = this.#outages.waitUntil(QUEUE.queue, now);
    } else if (news.length > 0 && this.#waitsUntil > 0 && now >= this.#waitsUntil) {
      // A mail that was under way when the server went away does not end the wait.
      this.#outages.over(QUEUE.queue, now);
      this.#waitsUntil = 0;
      log.info({}, "confirmation mails go out again");
    }
  }

  protected override async takeBack(whose: {
    held: readonly string[];
    earlierLives: boolean;
  }): Promise<void> {
    const { database, mailer, clock, mailDomain, concurrency, resendAfterCrash: mayResend } = this.#has;
    const which = orphaned(this.holder, whose);
    for (;;) {
      const now = clock();
      const rows = await database.write((trx) =>
        takeMails(trx, this.holder, QUEUE, { which, limit: concurrency, now }),
      );
      if (rows.length === 0) return;
      const ended = rows.map(async (row) => {
        const known = await mailer.knows(messageIdOf(row, mailDomain));
        return { row, ending: interrupted(row, { known, mayResend, now }) };
      });
      await this.#record(await Promise.all(ended));
    }
  }
}
