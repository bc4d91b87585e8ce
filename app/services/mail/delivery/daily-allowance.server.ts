import type { Read, Write } from "~/db/database.server";
import { countUpTo } from "~/db/rows";
import { days } from "~/lib/durations";
import { startOfDay, startOfNextDay, utcDay } from "~/lib/utc-day";
import { IS_DUE } from "~/services/queue/leases.server";

/** Today's allowance: `resetsAt` is midnight UTC, in epoch milliseconds. */
export type Allowance = NonNullable<Awaited<ReturnType<DailyAllowance["getToday"]>>>;

/** How long an automatic email may wait from when it was asked for. */
export const AUTOMATIC_WAIT_MS = days(3);
/** Campaigns leave one in so many emails of the allowance free for others. */
const KEPT_FREE_ONE_IN = 10;

/**
 * Limits the emails sent per UTC day over all instances. A claim counts its emails in its own transaction, so
 * that a restart loses no count and two instances never use the same allowance. An email that was not attempted
 * is refunded to the day it was counted on. An attempt counts once a mail server answered it, or may have.
 *
 * Three classes share it (docs/decisions/0115):
 * - always: counted, and sent beyond it. Confirmations and whatever else somebody waits for.
 * - automatic: wait once it is used up.
 * - campaign: wait once only a tenth of it is left, rounded down, besides what the automatic emails need that wait.
 */
export class DailyAllowance {
  readonly #limit: number;
  readonly #keptFree: number;

  /** @param perDay 0 disables the limit and the counting. */
  constructor(perDay: number) {
    this.#limit = perDay;
    this.#keptFree = Math.floor(perDay / KEPT_FREE_ONE_IN);
  }

  /** Returns today's allowance; undefined without a limit. */
  async getToday(read: Read, now: number) {
    if (this.#limit === 0) return undefined;
    const used = await readEmails(read, now);
    const remaining = Math.max(0, this.#limit - used);
    return {
      limit: this.#limit,
      used,
      remaining,
      keptFree: this.#keptFree,
      remainingForCampaigns: await this.#leaveForOthers(read, remaining, now),
      resetsAt: getResetTime(now),
    };
  }

  /** Returns whether nothing of today's allowance is left. */
  async isUsedUp(read: Read, now: number): Promise<boolean> {
    return this.#limit !== 0 && (await readEmails(read, now)) >= this.#limit;
  }

  /** Returns how many emails of a class remain today, and locks the day until the transaction ends. */
  async remaining(trx: Write, emailClass: "automatic" | "campaign", now: number): Promise<number> {
    if (this.#limit === 0) return Infinity;
    const remaining = Math.max(0, this.#limit - (await addEmails(trx, 0, now)));
    return emailClass === "automatic" ? remaining : this.#leaveForOthers(trx, remaining, now);
  }

  /** Counts emails about to be sent, even beyond the limit. */
  async consume(trx: Write, emails: number, now: number): Promise<void> {
    if (this.#limit === 0 || emails === 0) return;
    await addEmails(trx, emails, now);
  }

  /** Refunds emails that were not attempted. @param countedAt when each was counted, in epoch milliseconds. */
  async refund(trx: Write, countedAt: readonly number[]): Promise<void> {
    if (this.#limit === 0) return;
    const byDay = Map.groupBy(countedAt, (at) => utcDay(at));
    for (const [day, emails] of [...byDay].sort()) {
      await trx
        .updateTable("email_days")
        .set((row) => ({ emails: row("emails", "-", emails.length) }))
        .where("day", "=", day)
        .execute();
    }
  }

  /** Returns how many of the day's remaining emails campaigns may send. */
  async #leaveForOthers(read: Read, remaining: number, now: number): Promise<number> {
    const most = remaining - this.#keptFree;
    if (most <= 0) return 0;
    const waiting = read
      .selectFrom("transactional_emails")
      .select("id")
      .where("allowance_class", "=", "automatic")
      .where(IS_DUE)
      .where("not_before", "<", getResetTime(now));
    return most - (await countUpTo(most, read, waiting));
  }
}

/** Returns when the allowance of a day starts again: midnight UTC. */
const getResetTime = (now: number) => startOfNextDay(startOfDay(now));

/** Returns the emails counted on the day. */
async function readEmails(read: Read, now: number): Promise<number> {
  const today = read.selectFrom("email_days").select("emails").where("day", "=", utcDay(now));
  return (await today.executeTakeFirst())?.emails ?? 0;
}

/** Adds to the emails of the day. @returns their count, whose row is locked until the transaction ends. */
async function addEmails(trx: Write, emails: number, now: number): Promise<number> {
  const day = await trx
    .insertInto("email_days")
    .values({ day: utcDay(now), emails })
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet((row) => ({ emails: row("email_days.emails", "+", emails) })),
    )
    .returning("emails")
    .executeTakeFirstOrThrow();
  return day.emails;
}
