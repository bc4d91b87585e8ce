import { seconds } from "~/lib/durations";
import type { Rounds } from "~/services/worker.server";
import { HeldRows } from "./held-rows.server";
import type { Holder, Queue, RowEnding } from "./leases.server";
import type { SendingOptions } from "./sending-options";

/** A dead instance's rows are taken over within lease and this: 35 s (hardening R22 allows 45). */
const LOOK_FOR_ORPHANS_MS = seconds(5);
/** For how long nothing is due when there is nothing to do. */
export const IDLE_MS = seconds(1);

/** What of a sending's options every ledger needs. */
export type LedgerOptions = Pick<
  SendingOptions,
  "database" | "clock" | "leaseTime" | "newId" | "instance" | "concurrency" | "rate"
>;

/**
 * The work of a ledger's dispatcher, round by round, one at a time. One write of a round records what ended and claims as
 * many rows as there is room for; then they begin. So a claimed row is in flight, and rows in flight together with endings
 * not yet on disk are never more than `concurrency`: that many a crash can repeat (hardening R3, R4).
 * A round that throws has lost nothing: the next one does it again.
 */
export abstract class LedgerRounds<
  Row extends { readonly id: string },
  Ending extends RowEnding,
  Open extends { readonly state: string },
> implements Rounds {
  protected readonly holder: Holder;
  protected readonly rows: HeldRows<Row, Ending>;
  protected stopping = false;
  readonly #queue: Queue;
  readonly #has: LedgerOptions;
  #lookedForOrphansAt: number | undefined;

  /** @param onEnding called when the first row ended since the last round, and when no more are to be gathered. */
  constructor(queue: Queue, has: LedgerOptions, onEnding: () => void) {
    const { database, instance, newId, concurrency, clock, leaseTime } = has;
    this.#queue = queue;
    this.#has = has;
    this.holder = { dialect: database.dialect, owner: `${instance}/${newId()}`, leaseTime };
    this.rows = new HeldRows({ concurrency, onEnding, now: clock() });
  }

  /** Ends what nobody heard of: rows of instances that are gone, and our own from before its start. */
  protected abstract takeBack(whose: { held: readonly string[]; earlierLives: boolean }): Promise<void>;

  /** One write: what ended, and what begins. @returns what is under way, and for how long nothing is due. */
  protected abstract recordAndBegin(): Promise<{ open: readonly Open[]; waitMs: number }>;

  /** Copies a piece of its audience into the ledger; only where `recordAndBegin` returns something that has one. */
  protected async freeze(_one: Open): Promise<void> {}

  /** Skips a piece of what it had left. @returns whether there may be more to skip at once. */
  protected async windUp(_one: Open): Promise<boolean> {
    return false;
  }

  beginStopping(): void {
    this.stopping = true;
  }

  /** Whether no row is ours. */
  get idle(): boolean {
    return this.rows.size === 0;
  }

  get inFlight(): number {
    return this.rows.inFlight;
  }

  get gathers(): boolean {
    return this.rows.gathers;
  }

  async next(): Promise<number> {
    const { database, clock } = this.#has;
    await this.rows.keepLeases(database, this.#queue, this.holder, clock());
    if (!this.stopping) await this.#takeBackOrphans();
    const { open, waitMs } = await this.recordAndBegin();
    const hasMore = await this.#moveAlong(open);
    const isReady = this.rows.ended.length > 0 && !this.gathers;
    return hasMore || isReady ? 0 : waitMs;
  }

  /** How many rows the pace lets begin now, when `recorded` of those in hand are let go by the same write. */
  protected rated(recorded: number, now: number): number {
    const { concurrency, rate } = this.#has;
    const room = concurrency - this.rows.size + recorded;
    return this.stopping ? 0 : Math.min(room, rate.available(now));
  }

  /** For how long nothing is due after a round that claimed so many of the rows the pace allowed. */
  protected waitAfter(claimed: number, rated: number, now: number): number {
    const { concurrency, rate } = this.#has;
    // With room left and every row claimed that the rate allowed, there may be more once it allows another.
    const waitsForRate = !this.stopping && this.rows.size < concurrency && claimed === rated;
    return waitsForRate ? Math.min(IDLE_MS, rate.waitMs(now)) : IDLE_MS;
  }

  async #takeBackOrphans(): Promise<void> {
    const now = this.#has.clock();
    const last = this.#lookedForOrphansAt;
    if (last !== undefined && Math.abs(now - last) < LOOK_FOR_ORPHANS_MS) return;
    await this.takeBack({ held: this.rows.ids, earlierLives: last === undefined });
    this.#lookedForOrphansAt = now;
  }

  /** @returns whether there is more of it. */
  async #moveAlong(open: readonly Open[]): Promise<boolean> {
    let hasMore = false;
    for (const one of this.stopping ? [] : open) {
      if (one.state === "preparing") {
        await this.freeze(one);
        hasMore = true;
      } else if (one.state === "cancelled" && (await this.windUp(one))) {
        hasMore = true;
      }
    }
    return hasMore;
  }
}

/** In the order they are served: from the one after that which was served last, and on from there. */
export function inTurn<One extends { readonly id: string }>(all: readonly One[], servedLast: string): One[] {
  return [...all.filter(({ id }) => id > servedLast), ...all.filter(({ id }) => id <= servedLast)];
}
