import type { Worker as Thread } from "node:worker_threads";
import type { Database, DatabaseOptions } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { startWorker } from "~/lib/run-in-worker.server";
import { createWorker, type WorkLoop, type WorkerOptions } from "~/services/queue/worker.server";
import { findWork } from "./import-work.server";

const IDLE_MS = seconds(2);

/** The database that the thread opens once more (server/workers/work-on-imports.ts). */
export type ImportThreadInput = Pick<DatabaseOptions, "url" | "dataDir">;

/** A line for the log of the process. */
export interface ImportThreadMessage {
  readonly level: "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

interface ImportWorkerDeps extends WorkerOptions {
  readonly database: Database;
  readonly clock: () => number;
  readonly place: ImportThreadInput;
  readonly log: WorkerOptions["log"] & { warn(fields: object, message: string): void };
}

/** Creates the worker that has the lines of imports gone through in a thread, which lives while there is work. */
export function createImportWorker(deps: ImportWorkerDeps) {
  return createWorker("the import", () => new ImportLoop(deps), deps);
}

/**
 * SQLite would block the event loop for 100 ms and more where it merges parts of its search index (C37, decision 125). A step
 * ends with the thread, so nothing is in flight between two steps.
 */
class ImportLoop implements WorkLoop {
  readonly inFlight = 0;
  readonly idle = true;
  readonly #deps: ImportWorkerDeps;
  #stopping = false;
  #thread: Thread | undefined;

  constructor(deps: ImportWorkerDeps) {
    this.#deps = deps;
  }

  /** The thread ends after its piece. */
  beginStopping(): void {
    this.#stopping = true;
    this.#thread?.postMessage("stop");
  }

  async next(): Promise<number> {
    const { database, clock } = this.#deps;
    if (this.#stopping || (await findWork(database.read, clock())) === undefined) return IDLE_MS;
    await this.#runThread();
    return IDLE_MS;
  }

  /** Resolves when the thread has done all the work there was. @throws what ended it before. */
  async #runThread(): Promise<void> {
    const { place, log } = this.#deps;
    const thread = startWorker("work-on-imports", place);
    this.#thread = thread;
    thread.on("message", ({ level, fields, message }: ImportThreadMessage) => log[level](fields, message));
    await new Promise<void>((done, fail) => {
      thread.once("error", fail);
      thread.once("exit", done);
    }).finally(() => (this.#thread = undefined));
  }
}
