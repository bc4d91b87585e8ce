import { DummyDriver, Kysely, type CompiledQuery, type DatabaseConnection, type QueryResult } from "kysely";
import type { Worker } from "node:worker_threads";
import { startWorker } from "~/lib/run-in-worker.server";
import { createSqliteDialect } from "./sqlite-dialect";
import type { Tables } from "./tables";

/** Query for the thread (server/workers/read-sqlite.ts). */
export type ThreadQuery = Pick<CompiledQuery, "sql" | "parameters">;

/** Result of the query sent last. */
export type ThreadResult = { readonly rows: unknown[] } | { readonly error: unknown };

/**
 * Creates queries over a SQLite file that run one after the other in a worker thread, and only read: better-sqlite3
 * blocks the thread it runs in. The first query starts the thread, which takes some 50 ms; each of them costs 0.1 ms
 * more than on a connection in this thread.
 * @param assertInPlace throws when the file at the path is not the database; called before each start of the thread.
 */
export function openReadThread(path: string, assertInPlace: () => void): Kysely<Tables> {
  return new Kysely({ dialect: createSqliteDialect(() => new ReadThreadDriver(path, assertInPlace)) });
}

class ReadThreadDriver extends DummyDriver {
  readonly #path: string;
  readonly #assertInPlace: () => void;
  readonly #connection: DatabaseConnection = {
    executeQuery: (query) => this.#execute(query),
    streamQuery: () => {
      throw new Error("The reading thread streams no results");
    },
  };
  #thread: Worker | undefined;
  /** Rows of the query sent last: Kysely hands out SQLite's connection to one query at a time. */
  #rows: PromiseWithResolvers<unknown[]> | undefined;

  constructor(path: string, assertInPlace: () => void) {
    super();
    this.#path = path;
    this.#assertInPlace = assertInPlace;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  override async beginTransaction(): Promise<void> {
    throw new Error("The reading thread has no transactions");
  }

  override async destroy(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    this.#rows = Promise.withResolvers();
    this.#thread ??= this.#start();
    // The thread keeps the process alive only while a query waits for it.
    this.#thread.ref();
    this.#thread.postMessage({ sql, parameters } satisfies ThreadQuery);
    return { rows: (await this.#rows.promise) as Row[] };
  }

  #start(): Worker {
    this.#assertInPlace();
    const thread = startWorker("read-sqlite", this.#path);
    thread.on("message", (result: ThreadResult) => {
      thread.unref();
      if ("rows" in result) this.#rows?.resolve(result.rows);
      else this.#rows?.reject(result.error);
    });
    thread.on("error", (error) => this.#fail(thread, error));
    thread.on("exit", () => this.#fail(thread, new Error("The reading thread has ended")));
    return thread;
  }

  /** Fails the query that waits for this thread; the next one starts a new thread. */
  #fail(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#rows?.reject(error);
  }
}
