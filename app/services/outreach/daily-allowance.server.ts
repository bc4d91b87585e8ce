import type { Read, Write } from "~/db/database.server";
import { startOfNextDay, utcDay } from "~/lib/utc-day";
import type { Dialect } from "~/services/queue/leases.server";

export interface Allowance {
  /** Mails a day. */
  readonly limit: number;
  readonly used: number;
  readonly left: number;
  /** Midnight UTC, in epoch milliseconds. */
  readonly resetsAt: number;
}

/**
 * How many mails may go out on a UTC day, over all instances. A claim counts its mails in its own transaction, so that a
 * restart forgets nothing and two instances cannot take the same ones; a mail that was not tried is given back to the
 * day it was counted on. A try that a server answered, or may have, is a mail.
 */
export class DailyAllowance {
  readonly #limit: number;

  /** @param perDay 0 means without limit: then nothing is counted. */
  constructor(perDay: number) {
    this.#limit = perDay;
  }

  /** Today's, or undefined without a limit. */
  async getToday(read: Read, now: number): Promise<Allowance | undefined> {
    if (this.#limit === 0) return undefined;
    const used = await mailsOn(read, utcDay(now));
    const left = Math.max(0, this.#limit - used);
    return { limit: this.#limit, used, left, resetsAt: startOfNextDay(Date.parse(utcDay(now))) };
  }

  /** How many more may go today; nobody else takes any of them until the transaction ends. */
  async left(trx: Write, dialect: Dialect, now: number): Promise<number> {
    if (this.#limit === 0) return Infinity;
    const day = utcDay(now);
    await trx
      .insertInto("mail_days")
      .values({ day, mails: 0 })
      .onConflict((conflict) => conflict.column("day").doNothing())
      .execute();
    return Math.max(0, this.#limit - (await mailsOn(trx, day, dialect)));
  }

  /** Counts mails that are about to go, whatever is left. */
  async consume(trx: Write, mails: number, now: number): Promise<void> {
    if (this.#limit === 0 || mails === 0) return;
    await trx
      .insertInto("mail_days")
      .values({ day: utcDay(now), mails })
      .onConflict((conflict) =>
        conflict.column("day").doUpdateSet((row) => ({ mails: row("mail_days.mails", "+", mails) })),
      )
      .execute();
  }

  /** Takes back what was counted for mails that then were not tried. @param countedAt when each of them was counted. */
  async refund(trx: Write, countedAt: readonly number[]): Promise<void> {
    if (this.#limit === 0) return;
    const byDay = new Map<string, number>();
    for (const at of countedAt) byDay.set(utcDay(at), (byDay.get(utcDay(at)) ?? 0) + 1);
    for (const [day, mails] of [...byDay].sort()) {
      await trx
        .updateTable("mail_days")
        .set((row) => ({ mails: row("mails", "-", mails) }))
        .where("day", "=", day)
        .execute();
    }
  }
}

async function mailsOn(read: Read, day: string, heldOn?: Dialect): Promise<number> {
  const row = await read
    .selectFrom("mail_days")
    .select("mails")
    .where("day", "=", day)
    .$if(heldOn === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.mails ?? 0;
}
