import { seconds } from "~/lib/durations";
import type { Rounds } from "~/services/worker.server";
import { deliver } from "./deliver";
import { givenBack, withheld } from "./ending";
import type { Ending } from "./ending";
import { freezeChunk } from "./freeze.server";
import { renewLeases } from "./leases.server";
import type { Holder } from "./leases.server";
import type { Claimed } from "./ledger.server";
import { Outages } from "./outages";
import type { Letter, SendingOptions } from "./sending-options";
import { openSends, readLetters } from "./sends.server";
import type { OpenSend } from "./sends.server";
import { settle } from "./settle.server";
import type { Settled } from "./settle.server";
import { takeBack } from "./take-back.server";
import type { TokenBucket } from "./token-bucket";
import { takeTurn } from "./turn.server";
import { windUpChunk } from "./wind-up.server";

/** With a lease of 30 s, two renewals may fail. */
const RENEW_MS = seconds(10);
/** A dead instance's rows are taken over within lease and this: 35 s (hardening R22 allows 45). */
const LOOK_FOR_ORPHANS_MS = seconds(5);
const IDLE_MS = seconds(1);

/**
 * The work of a dispatcher, round by round, one at a time. One write of a round records what ended and claims as many
 * rows as there is room for; then their mails begin. So a claimed row is in flight, and mails in flight together with
 * endings not yet on disk are never more than `concurrency`: that many a crash can repeat (hardening R3).
 * A round that throws has lost nothing: the next one does it again.
 */
export class OutreachRounds implements Rounds {
  readonly #has: SendingOptions;
  readonly #holder: Holder;
  readonly #onEnding: () => void;
  readonly #bucket: TokenBucket;
  readonly #outages = new Outages();
  readonly #letters = new Map<string, Letter>();
  /** Ids of our rows: in flight, or ended and not on disk. */
  readonly #held = new Set<string>();
  readonly #settled: Settled[] = [];
  #stopping = false;
  #servedLast = "";
  #renewedAt: number;
  #lookedForOrphansAt: number | undefined;

  /** @param onEnding called when the first mail ended since the last round, and when no more are to be gathered. */
  constructor(options: SendingOptions, onEnding: () => void) {
    this.#has = options;
    this.#holder = { dialect: options.database.dialect, owner: `${options.instance}/${options.newId()}` };
    this.#onEnding = onEnding;
    this.#renewedAt = options.clock();
    this.#bucket = options.rate;
  }

  /** From now on nothing new begins. */
  beginStopping(): void {
    this.#stopping = true;
  }

  /** Whether no row is ours. */
  get idle(): boolean {
    return this.#held.size === 0;
  }

  get inFlight(): number {
    return this.#held.size - this.#settled.length;
  }

  /** Whether it pays to wait a moment for more endings before they are recorded: a commit costs as much for many. */
  get gathers(): boolean {
    const ended = this.#settled.length;
    return ended > 0 && ended < Math.min(this.inFlight, this.#has.concurrency / 2);
  }

  /** @returns milliseconds for which nothing is due unless a mail ends; 0 when the next round is due at once. */
  async next(): Promise<number> {
    await this.#keepLeases();
    if (!this.#stopping) await this.#takeBackOrphans();
    const { sends, waitMs } = await this.#recordAndBegin();
    const hasMore = await this.#moveAlong(sends);
    const isReady = this.#settled.length > 0 && !this.gathers;
    return hasMore || isReady ? 0 : waitMs;
  }

  async #keepLeases(): Promise<void> {
    const now = this.#has.clock();
    // The distance, not the order: a clock that is set back must not stop the renewals.
    if (Math.abs(now - this.#renewedAt) < RENEW_MS) return;
    const held = [...this.#held];
    if (held.length > 0) {
      await this.#has.database.write((trx) => renewLeases(trx, "deliveries", this.#holder.owner, held, now));
    }
    this.#renewedAt = now;
  }

  async #takeBackOrphans(): Promise<void> {
    const now = this.#has.clock();
    const last = this.#lookedForOrphansAt;
    if (last !== undefined && Math.abs(now - last) < LOOK_FOR_ORPHANS_MS) return;
    await takeBack(
      { ...this.#has, holder: this.#holder },
      { held: [...this.#held], earlierLives: last === undefined },
    );
    this.#lookedForOrphansAt = now;
  }

  async #recordAndBegin(): Promise<{ sends: readonly OpenSend[]; waitMs: number }> {
    const { database, concurrency, clock } = this.#has;
    if (this.#settled.length === 0) {
      const mayBegin = !this.#stopping && (await openSends(database.read)).length > 0;
      if (!mayBegin) return { sends: [], waitMs: IDLE_MS };
    }
    const now = clock();
    const { group, sends, limit, rows } = await database.write(async (trx) => {
      const group = [...this.#settled];
      const sends = await settle(trx, { owner: this.#holder.owner, outages: this.#outages, now }, group);
      const room = concurrency - this.#held.size + group.length;
      const limit = this.#stopping ? 0 : Math.min(room, this.#bucket.available(now));
      const rows = await takeTurn(trx, this.#holder, sends, { limit, servedLast: this.#servedLast, now });
      await readLetters(trx, this.#letters, rows);
      return { group, sends, limit, rows };
    });
    for (const { row } of this.#settled.splice(0, group.length)) this.#held.delete(row.id);
    for (const row of rows) this.#begin(row);
    this.#servedLast = rows.at(-1)?.send_id ?? this.#servedLast;
    if (this.idle) this.#letters.clear();
    // With room left and every row claimed that the rate allowed, there may be more once it allows another.
    const waitsForRate = !this.#stopping && this.#held.size < concurrency && rows.length === limit;
    return { sends, waitMs: waitsForRate ? Math.min(IDLE_MS, this.#bucket.waitMs(now)) : IDLE_MS };
  }

  /** Freezes or winds up a piece of each send that needs it. @returns whether there is more of it. */
  async #moveAlong(sends: readonly OpenSend[]): Promise<boolean> {
    const { database, clock } = this.#has;
    let hasMore = false;
    for (const send of this.#stopping ? [] : sends) {
      if (send.state === "preparing") {
        await freezeChunk(this.#has, send);
        hasMore = true;
      } else if (send.state === "cancelled" && (await windUpChunk(database, send.id, clock()))) {
        hasMore = true;
      }
    }
    return hasMore;
  }

  #begin(row: Claimed): void {
    this.#held.add(row.id);
    const withholding = this.#stopping ? givenBack(row) : withheld(row);
    if (withholding) {
      this.#end(row, withholding);
      return;
    }
    this.#bucket.spend(1);
    void deliver(this.#has, this.#letters.get(row.send_id), row).then((ending) => this.#end(row, ending));
  }

  #end(row: Claimed, ending: Ending): void {
    this.#settled.push({ row, ending });
    if (this.#settled.length === 1 || !this.gathers) this.#onEnding();
  }
}
