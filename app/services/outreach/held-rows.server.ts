import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { renewLeases } from "./leases.server";
import type { Holder, Queue, RowEnding } from "./leases.server";

/** With a lease of 30 s, two renewals may fail. */
const RENEW_MS = seconds(10);

/**
 * The rows of a queue that a dispatcher has in hand: in flight, or ended and not on disk yet. Their leases are kept; how
 * they ended is gathered, to be recorded many at a time.
 */
export class HeldRows<Row extends { readonly id: string }, Ending extends RowEnding> {
  readonly #concurrency: number;
  readonly #onEnding: () => void;
  readonly #held = new Set<string>();
  readonly #settled: { readonly row: Row; readonly ending: Ending }[] = [];
  #renewedAt: number;

  /** @param has.onEnding called when the first row ended since the last record, and when no more are to be gathered. */
  constructor(has: { concurrency: number; onEnding: () => void; now: number }) {
    this.#concurrency = has.concurrency;
    this.#onEnding = has.onEnding;
    this.#renewedAt = has.now;
  }

  get size(): number {
    return this.#held.size;
  }

  get ids(): string[] {
    return [...this.#held];
  }

  get inFlight(): number {
    return this.#held.size - this.#settled.length;
  }

  /** Rows that ended and are not on disk. */
  get ended(): readonly { readonly row: Row; readonly ending: Ending }[] {
    return this.#settled;
  }

  /** Whether it pays to wait a moment for more endings before they are recorded: a commit costs as much for many. */
  get gathers(): boolean {
    const ended = this.#settled.length;
    return ended > 0 && ended < Math.min(this.inFlight, this.#concurrency / 2);
  }

  hold(row: Row): void {
    this.#held.add(row.id);
  }

  end(row: Row, ending: Ending): void {
    this.#settled.push({ row, ending });
    if (this.#settled.length === 1 || !this.gathers) this.#onEnding();
  }

  /** The first `count` endings are on disk: their rows are let go. */
  recorded(count: number): void {
    for (const { row } of this.#settled.splice(0, count)) this.#held.delete(row.id);
  }

  /** Prolongs the leases when it is time. */
  async keepLeases(database: Database, queue: Queue, holder: Holder, now: number): Promise<void> {
    // The distance, not the order: a clock that is set back must not stop the renewals.
    if (Math.abs(now - this.#renewedAt) < RENEW_MS) return;
    const held = this.ids;
    if (held.length > 0) await database.write((trx) => renewLeases(trx, queue, holder, held));
    this.#renewedAt = now;
  }
}
