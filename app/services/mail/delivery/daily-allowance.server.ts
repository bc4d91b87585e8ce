import type { Read, Write } from "~/db/database.server";
import { startOfNextDay, utcDay } from "~/lib/utc-day";

/** Today's allowance: `resetsAt` is midnight UTC, in epoch milliseconds. */
export type Allowance = NonNullable<Awaited<ReturnType<DailyAllowance["getToday"]>>>;

/**
 * Limits the emails sent per UTC day over all instances. A claim counts its emails in its own transaction, so
 * that a restart loses no count and two instances never use the same allowance. An email that was not attempted
 * is refunded to the day it was counted on. An attempt counts once a mail server answered it, or may have.
 */
export class DailyAllowance {
  readonly #limit: number;

  /** @param perDay 0 disables the limit and the counting. */
  constructor(perDay: number) {
    this.#limit = perDay;
  }

  /** Returns today's allowance; undefined without a limit. */
  async getToday(read: Read, now: number) {
    if (this.#limit === 0) return undefined;
    const today = read.selectFrom("email_days").select("emails").where("day", "=", utcDay(now));
    const used = (await today.executeTakeFirst())?.emails ?? 0;
    const remaining = Math.max(0, this.#limit - used);
    return { limit: this.#limit, used, remaining, resetsAt: startOfNextDay(Date.parse(utcDay(now))) };
  }

  /** Returns how many emails remain today, and locks the day until the transaction ends. */
  async remaining(trx: Write, now: number): Promise<number> {
    if (this.#limit === 0) return Infinity;
    return Math.max(0, this.#limit - (await addEmails(trx, 0, now)));
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
