import { resolve } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Limits the thread's heap, so that no input exhausts the memory of the process. */
const MAX_HEAP_MB = 256;

/** Starts server/workers/<name>.ts with `input` as its `workerData`, without the guard and the secrets of the process. */
export function startWorker(
  name: string,
  input: unknown,
  limits: Pick<WorkerOptions, "resourceLimits"> = {},
): Worker {
  const file = resolve("server/workers", `${name}.ts`);
  return new Worker(file, { workerData: input, execArgv: [], env: {}, ...limits });
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs server/workers/<name>.ts, which posts one message, its result, on input that would block the event loop (C37);
 * one thread at a time, because such input is rare. @throws what the thread threw, or when it ended without a result.
 */
export function runInWorker<Result>(name: string, input: unknown): Promise<Result> {
  const run = lastRun.then(() => runThread<Result>(name, input));
  lastRun = run.catch(() => undefined);
  return run;
}

function runThread<Result>(name: string, input: unknown): Promise<Result> {
  const worker = startWorker(name, input, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  return new Promise((done, fail) => {
    worker.once("message", done);
    worker.once("error", fail);
    worker.once("exit", (code) => fail(new Error(`The thread ${name} ended without an answer (${code})`)));
  });
}
