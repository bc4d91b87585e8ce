import type { Kysely, Transaction } from "kysely";
import { sql } from "kysely";
import type { Tables } from "./tables";

/** So that one commit never holds the process for long. */
const LARGEST_GROUP = 200;

type Work<T> = (transaction: Transaction<Tables>) => Promise<T>;

interface Piece {
  work: Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/**
 * Commits together what arrives together: a synced commit costs as much for fifty writes as for one. Each piece has its
 * own savepoint, so that a failing one takes nobody with it, and is answered only after the common commit.
 */
export class GroupCommit {
  readonly #db: Kysely<Tables>;
  #waiting: Piece[] = [];
  #draining: Promise<void> | undefined;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  write<T>(work: Work<T>): Promise<T> {
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.push({ work, resolve, reject }));
    this.#draining ??= this.#drain();
    return answer as Promise<T>;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Let every request that is ready in this turn of the loop join the group.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commit(this.#waiting.splice(0, LARGEST_GROUP));
    }
    this.#draining = undefined;
  }

  async #commit(group: Piece[]): Promise<void> {
    try {
      const answers = await this.#db.transaction().execute(async (transaction) => {
        const settled: (() => void)[] = [];
        for (const piece of group) settled.push(await this.#run(piece, transaction, group.length > 1));
        return settled;
      });
      for (const answer of answers) answer();
    } catch (error) {
      for (const piece of group) piece.reject(error);
    }
  }

  /** Runs one piece; the returned function answers it once the group is committed. */
  async #run(piece: Piece, transaction: Transaction<Tables>, shared: boolean): Promise<() => void> {
    if (!shared) {
      const value = await piece.work(transaction);
      return () => piece.resolve(value);
    }
    await sql`savepoint piece`.execute(transaction);
    try {
      const value = await piece.work(transaction);
      await sql`release piece`.execute(transaction);
      return () => piece.resolve(value);
    } catch (error) {
      await sql`rollback to piece`.execute(transaction);
      await sql`release piece`.execute(transaction);
      return () => piece.reject(error);
    }
  }
}
