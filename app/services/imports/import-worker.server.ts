import type { Worker as Thread } from "node:worker_threads";
import { seconds } from "~/lib/durations";
import { startWorker } from "~/lib/run-in-worker.server";
import { createWorker, type WorkLoop, type WorkerOptions } from "~/services/queue/worker.server";
import { findWork, workOnImports, type ImportWorkDeps } from "./import-work.server";

const IDLE_MS = seconds(2);

/** What the thread posts: the arguments of a `log.error`, which this process calls. */
export type ImportThreadMessage = Parameters<ImportWorkDeps["log"]["error"]>;

interface ImportWorkerDeps extends ImportWorkDeps {
  readonly log: WorkerOptions["log"];
  /** Folder of SQLite's file. */
  readonly dataDir: string;
}

/** Creates the worker that goes through the lines of imports. */
export function createImportWorker(deps: ImportWorkerDeps) {
  return createWorker("the import", () => new ImportLoop(deps), deps);
}

/**
 * Does all the work there is in one step, so nothing is in flight between two. With SQLite a thread does it, which lives for
 * that step: merging parts of the search index would hold the event loop for 100 ms and more (C37, decision 125).
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

  /** Ends the step after the transaction that it is in. */
  beginStopping(): void {
    this.#stopping = true;
    this.#thread?.postMessage("stop");
  }

  async next(): Promise<number> {
    const { database, clock } = this.#deps;
    if (database.dialect === "postgres") await workOnImports(this.#deps, () => this.#stopping);
    else if ((await findWork(database.read, clock())) !== undefined) {
      // Throws when the file was moved or replaced: the thread would open what is there now (R54).
      await database.probe();
      if (!this.#stopping) await this.#runThread();
    }
    return IDLE_MS;
  }

  /** Resolves when the thread has done all the work there was. @throws what ended it before. */
  async #runThread(): Promise<void> {
    const { dataDir, log } = this.#deps;
    const thread = startWorker("work-on-imports", dataDir);
    this.#thread = thread;
    thread.on("message", (message: ImportThreadMessage) => log.error(...message));
    await new Promise<void>((done, fail) => {
      thread.once("error", fail);
      thread.once("exit", (code) => (code === 0 ? done() : fail(new Error(`The thread ended with ${code}`))));
    }).finally(() => (this.#thread = undefined));
  }
}
