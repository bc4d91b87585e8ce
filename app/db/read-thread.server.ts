import { Kysely, type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import type { Worker } from "node:worker_threads";
import { startWorker } from "~/lib/run-in-worker.server";
import { createSqliteDialect } from "./sqlite-dialect";
import type { Tables } from "./tables";

/** Query for the thread (server/workers/read-sqlite.ts). */
export interface ThreadQuery {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Result of the query with the same id. */
export type ThreadResult =
  { readonly id: number; readonly rows: unknown[] } | { readonly id: number; readonly error: unknown };

/**
 * Creates queries over a SQLite file that run one after the other in a worker thread, and only read: better-sqlite3
 * blocks the thread it runs in. The first query starts the thread, which takes some 50 ms; each of them costs 0.1 ms
 * more than on a connection in this thread.
 */
export function openReadThread(path: string): Kysely<Tables> {
  return new Kysely({ dialect: createSqliteDialect(() => new ReadThreadDriver(path)) });
}

class ReadThreadDriver implements Driver {
  readonly #path: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown[]>>();
  readonly #connection: DatabaseConnection = {
    executeQuery: (query) => this.#execute(query),
    streamQuery: () => {
      throw new Error("The reading thread streams no results");
    },
  };
  #thread: Worker | undefined;
  #lastId = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error("The reading thread has no transactions");
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const id = ++this.#lastId;
    const result = Promise.withResolvers<unknown[]>();
    this.#waiting.set(id, result);
    this.#thread ??= this.#start();
    // The thread keeps the process alive only while a query waits for it.
    this.#thread.ref();
    this.#thread.postMessage({ id, sql, parameters } satisfies ThreadQuery);
    return { rows: (await result.promise) as Row[] };
  }

  #start(): Worker {
    const thread = startWorker("read-sqlite", this.#path);
    thread.on("message", (result: ThreadResult) => {
      const waiting = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if (this.#waiting.size === 0) thread.unref();
      if ("rows" in result) waiting?.resolve(result.rows);
      else waiting?.reject(result.error);
    });
    thread.on("error", (error) => this.#fail(thread, error));
    thread.on("exit", () => this.#fail(thread, new Error("The reading thread has ended")));
    return thread;
  }

  /** Fails the queries that wait for this thread; the next query starts a new one. */
  #fail(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
