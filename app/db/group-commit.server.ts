import type { Kysely } from "kysely";
import type { Write } from "./database.server";
import type { Tables } from "./tables";

/** Limits the time that one commit blocks the process: a write takes it for about a millisecond. */
const MAX_GROUP_SIZE = 25;

type Work<T> = (transaction: Write) => Promise<T>;

interface PendingWrite {
  work: Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Most milliseconds a group waits for more writes while they keep arriving; a slow machine takes two or three to each. */
const GATHER_MS = 25;

/**
 * Commits writes that arrive together in one transaction: a synced commit costs as much for fifty writes as for
 * one. Each write resolves only after the common commit. When one of a group fails, the group is rolled back and
 * each write is repeated by itself, so that the failing one affects no other; a savepoint for each would slow down
 * the many that succeed.
 */
export class GroupCommit {
  readonly #db: Kysely<Tables>;
  #waiting: PendingWrite[] = [];
  #draining: Promise<void> | undefined;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  write<T>(work: Work<T>): Promise<T> {
    const result = new Promise<unknown>((resolve, reject) => this.#waiting.push({ work, resolve, reject }));
    this.#draining ??= this.#drain();
    return result as Promise<T>;
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#commit(this.#waiting.splice(0, MAX_GROUP_SIZE));
    }
    this.#draining = undefined;
  }

  /** Waits until the group is full, or no write arrives in two turns of the event loop, but not for long. */
  async #gather(): Promise<void> {
    const deadline = performance.now() + GATHER_MS;
    const isFull = () => this.#waiting.length >= MAX_GROUP_SIZE;
    for (let quiet = 0; quiet < 2 && !isFull() && performance.now() < deadline;) {
      const known = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#waiting.length > known ? 0 : quiet + 1;
    }
  }

  async #commit(group: PendingWrite[]): Promise<void> {
    let failing: PendingWrite | undefined;
    try {
      const values = await this.#db.transaction().execute(async (transaction) => {
        const values: unknown[] = [];
        for (const piece of group) {
          failing = piece;
          values.push(await piece.work(transaction));
        }
        failing = undefined;
        return values;
      });
      group.forEach((piece, index) => piece.resolve(values[index]));
    } catch (error) {
      // The transaction itself failed, or the group has one write: there is nothing to separate.
      if (!failing || group.length === 1) for (const piece of group) piece.reject(error);
      else for (const piece of group) await this.#commit([piece]);
    }
  }
}
