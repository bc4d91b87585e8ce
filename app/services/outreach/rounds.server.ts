import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import { endingOf, givenBack, poisoned, withheld } from "./ending";
import type { Ending } from "./ending";
import { freezeChunk } from "./freeze.server";
import type { Claimed, Holder } from "./ledger.server";
import { claim, lookAgain, renewLeases } from "./ledger.server";
import { Outages } from "./outages";
import { finishIfSettled, openSends } from "./sends.server";
import type { OpenSend } from "./sends.server";
import { settle } from "./settle.server";
import type { Settled } from "./settle.server";
import { takeBack } from "./take-back.server";
import { TokenBucket } from "./token-bucket";
import { windUpChunk } from "./wind-up.server";

/** With a lease of 30 s, two renewals may fail. */
const RENEW_MS = seconds(10);
/** A dead instance's rows are taken over within lease and this: 35 s (hardening R22 allows 45). */
const LOOK_FOR_ORPHANS_MS = seconds(5);
const IDLE_MS = seconds(1);

interface Party {
  readonly name: string;
  readonly address: string;
}

/** What one mail is made of. */
export interface MailParts extends Letter {
  readonly recipient: Party;
  readonly sender: Party;
  readonly messageId: string;
  readonly unsubscribeUrl: string;
}

interface Letter {
  readonly title: string;
  readonly message: string;
}

export interface SendingOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** A throw fails this one mail. */
  readonly compose: (parts: MailParts) => Mail;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Stable over restarts, and no two processes that live at once share it: its earlier rows are taken back at start. */
  readonly instance: string;
  /** Mails in flight at most, and accepted mails not yet recorded counted in: what a crash can repeat. */
  readonly concurrency: number;
  /** Of this instance; 0 is without limit. */
  readonly ratePerSecond: number;
  /** Whether a mail that was perhaps sent before a crash is sent again; otherwise its row waits for an admin. */
  readonly resendAfterCrash: boolean;
  readonly sender: Party;
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  readonly unsubscribeUrl: (deliveryId: string) => string;
}

/**
 * The work of a dispatcher, round by round, one at a time. A round commits what ended and claims what is next in one
 * write, then starts as many mails as there is room for. Mails in flight and endings not yet on disk are together never
 * more than `concurrency`, so that a crash at any moment repeats at most so many (hardening R3). A round that throws has
 * lost nothing: the next one does it again.
 */
export class Rounds {
  readonly #has: SendingOptions;
  readonly #holder: Holder;
  readonly #onEnding: () => void;
  readonly #bucket: TokenBucket;
  readonly #outages = new Outages();
  readonly #letters = new Map<string, Letter>();
  /** Claimed and not begun. */
  readonly #queue: Claimed[] = [];
  /** Ended and not on disk. */
  readonly #settled: Settled[] = [];
  #inFlight = 0;
  #renewedAt: number;
  #lookedForOrphansAt: number | undefined;
  #servedLast = "";

  /** @param onEnding called when a mail ended: a round is due. */
  constructor(options: SendingOptions, onEnding: () => void) {
    this.#has = options;
    this.#holder = { dialect: options.database.dialect, owner: `${options.instance}/${options.newId()}` };
    this.#onEnding = onEnding;
    this.#renewedAt = options.clock();
    this.#bucket = new TokenBucket(options.ratePerSecond, this.#renewedAt);
  }

  /** Whether no row is held. */
  get idle(): boolean {
    return this.#queue.length + this.#settled.length + this.#inFlight === 0;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * @param stopping nothing new is begun and what was not begun is given back.
   * @returns milliseconds for which nothing is due unless a mail ends; 0 when the next round is due at once.
   */
  async next(stopping: boolean): Promise<number> {
    await this.#keepLeases();
    let moved = false;
    let sends: OpenSend[] = [];
    if (stopping) {
      for (const row of this.#queue.splice(0)) this.#settled.push({ row, ending: givenBack(row) });
    } else {
      await this.#takeBackOrphans();
      sends = await openSends(this.#has.database.read);
      moved = await this.#moveAlong(sends);
    }
    await this.#commit(sends);
    await this.#begin();
    if (moved || this.#settled.length > 0) return 0;
    const waitsForRate = this.#queue.length > 0 && this.#room() > 0;
    return waitsForRate ? Math.min(IDLE_MS, this.#bucket.waitMs(this.#has.clock())) : IDLE_MS;
  }

  async #keepLeases(): Promise<void> {
    const now = this.#has.clock();
    // The distance, not the order: a clock that is set back must not stop the renewals.
    if (Math.abs(now - this.#renewedAt) < RENEW_MS) return;
    if (!this.idle) await this.#has.database.write((trx) => renewLeases(trx, this.#holder.owner, now));
    this.#renewedAt = now;
  }

  async #takeBackOrphans(): Promise<void> {
    const now = this.#has.clock();
    const last = this.#lookedForOrphansAt;
    if (last !== undefined && Math.abs(now - last) < LOOK_FOR_ORPHANS_MS) return;
    await takeBack({ ...this.#has, holder: this.#holder }, last === undefined);
    this.#lookedForOrphansAt = now;
  }

  /** Freezes or winds up a piece of each send that needs it. @returns whether there is more of it. */
  async #moveAlong(sends: readonly OpenSend[]): Promise<boolean> {
    let more = false;
    for (const send of sends) {
      if (send.state === "preparing") {
        await freezeChunk(this.#has, send);
        more = true;
      } else if (send.state === "cancelled") {
        const skipped = await windUpChunk(this.#has.database, send.id, this.#has.clock());
        more ||= skipped;
      }
    }
    return more;
  }

  async #commit(sends: readonly OpenSend[]): Promise<void> {
    const { database, concurrency, clock } = this.#has;
    const now = clock();
    const isLow = this.#queue.length < 2 * concurrency;
    const wanted = isLow ? 4 * concurrency - this.#queue.length : 0;
    const due = wanted === 0 ? [] : sends.filter((send) => send.state === "sending" && send.resume_at <= now);
    // Each claim begins with the send after the one that was served last.
    const inTurn = [
      ...due.filter(({ id }) => id > this.#servedLast),
      ...due.filter(({ id }) => id <= this.#servedLast),
    ];
    if (this.#settled.length === 0 && inTurn.length === 0) return;

    const { group, claimed } = await database.write(async (trx) => {
      const group = [...this.#settled];
      await settle(trx, { owner: this.#holder.owner, outages: this.#outages, now }, group);
      const claimed: Claimed[] = [];
      for (const send of inTurn) {
        if (claimed.length >= wanted) break;
        const rows = await claim(trx, this.#holder, send.id, wanted - claimed.length, now);
        if (rows.length === 0) await finishIfSettled(trx, this.#holder.dialect, send.id, now);
        claimed.push(...rows);
      }
      return { group, claimed };
    });
    this.#settled.splice(0, group.length);
    this.#queue.push(...claimed);
    this.#servedLast = claimed.at(-1)?.send_id ?? this.#servedLast;
    if (this.idle) this.#letters.clear();
  }

  #room(): number {
    return this.#has.concurrency - this.#inFlight - this.#settled.length;
  }

  /** Begins as many mails as there is room for, after a last look at whether each may still go. */
  async #begin(): Promise<void> {
    const { database, clock } = this.#has;
    const rows = this.#queue.slice(0, Math.min(this.#room(), this.#bucket.available(clock())));
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const looks = await lookAgain(database.read, this.#holder.owner, ids);
    await this.#readLetters(rows);
    this.#queue.splice(0, rows.length);
    for (const row of rows) {
      const look = looks.get(row.id);
      // Missing: the lease ran out and another instance has the row.
      if (!look) continue;
      const ending = withheld(row, look, clock());
      if (ending) this.#settled.push({ row, ending });
      else this.#launch(row);
    }
  }

  /** Titles and messages do not change once confirmed. */
  async #readLetters(rows: readonly Claimed[]): Promise<void> {
    const missing = [...new Set(rows.map((row) => row.send_id))].filter((id) => !this.#letters.has(id));
    if (missing.length === 0) return;
    const sends = this.#has.database.read.selectFrom("sends").select(["id", "title", "message"]);
    for (const send of await sends.where("id", "in", missing).execute()) this.#letters.set(send.id, send);
  }

  #launch(row: Claimed): void {
    this.#bucket.spend(1);
    this.#inFlight += 1;
    void this.#send(row).then((ending) => {
      this.#inFlight -= 1;
      this.#settled.push({ row, ending });
      this.#onEnding();
    });
  }

  async #send(row: Claimed): Promise<Ending> {
    const { mailer, compose, sender, unsubscribeUrl, clock } = this.#has;
    try {
      const letter = this.#letters.get(row.send_id);
      if (!letter) throw new Error("The send is gone");
      const { title, message } = letter;
      const recipient = { name: row.name, address: row.address };
      const messageId = row.message_id;
      const mail = compose({
        title,
        message,
        recipient,
        sender,
        messageId,
        unsubscribeUrl: unsubscribeUrl(row.id),
      });
      return endingOf(row, await mailer.send(mail), clock());
    } catch (error) {
      return poisoned(row, error);
    }
  }
}
