import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { seconds } from "~/lib/durations";
import { createWorker } from "~/services/queue/worker.server";
import type { WorkLoop, Worker, WorkerOptions } from "~/services/queue/worker.server";
import type { LogStore } from "./log-store";
import { fromPinoLine } from "./pino-line";

/** Stored in one transaction: a few milliseconds of the one writer there is on SQLite. */
const BATCH = 500;
/** How long lines wait for others. */
const GATHER_MS = seconds(1);
/** Between batches that follow each other, for those who wait with their writes. */
const BREATH_MS = 20;

/** Where the lines come from (server/observability/line-queue.ts). */
interface LogSource {
  take(most: number): string[];
  takeDropped(): number;
  readonly isEmpty: boolean;
}

export interface LogFeedDeps {
  readonly source: LogSource;
  readonly store: Pick<LogStore, "append">;
  /** What an earlier process could not store (log-rest.server.ts): stored first. */
  readonly rest: { read(): string[]; forget(): void };
  readonly log: WorkerOptions["log"] & { warn(fields: object, message: string): void };
  readonly setTimer?: WorkerOptions["setTimer"];
}

export interface LogFeed extends Worker {
  /** The logger's lines that are not stored, for the end of the process. */
  unstored(): string[];
}

/**
 * Brings the lines of the server's logger to the log store, beside the requests: once a second, a batch at a time. While the
 * store is away they wait in the source, which drops what it cannot hold; how many is a line of the log once it is back.
 */
export function createLogFeed({ source, store, rest, log, setTimer }: LogFeedDeps): LogFeed {
  const waiting = rest.read();
  let hasRest = waiting.length > 0;
  let batch: string[] = [];
  let stopping = false;

  const loop: WorkLoop = {
    async next() {
      if (batch.length === 0) batch = waiting.length > 0 ? waiting.splice(0, BATCH) : source.take(BATCH);
      if (batch.length > 0) {
        await store.append(batch.map(fromPinoLine));
        batch = [];
      }
      if (hasRest && waiting.length === 0) {
        rest.forget();
        hasRest = false;
      }
      const lines = source.takeDropped();
      if (lines > 0) log.warn({ lines }, "the log store could not keep up: lines are missing in it");
      if (loop.idle) return GATHER_MS;
      return stopping ? 0 : BREATH_MS;
    },
    beginStopping() {
      stopping = true;
    },
    get idle() {
      return batch.length === 0 && waiting.length === 0 && source.isEmpty;
    },
    inFlight: 0,
    isBatching: false,
  };
  const worker = createWorker("storing the log", () => loop, { log, ...(setTimer && { setTimer }) });
  return {
    ...worker,
    unstored() {
      const lines = [...batch, ...waiting];
      while (!source.isEmpty) lines.push(...source.take(BATCH));
      return lines;
    },
  };
}

/**
 * The lines a process logged last, such as why it ended, when there was no time to store them: a file beside the data until
 * the next start stores it.
 */
export interface LogRest {
  /** Writes them at once; for the end of the process. Failing is not worth a crash of its own: standard output has them. */
  keep(lines: readonly string[]): void;
  /** What was kept. It stays until `forget`. */
  read(): string[];
  forget(): void;
}

export function createLogRest(path: string): LogRest {
  return {
    keep(lines) {
      if (lines.length === 0) return;
      try {
        writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
      } catch {
        // Above.
      }
    },
    read() {
      try {
        return readFileSync(path, "utf8").split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
    forget: () => rmSync(path, { force: true }),
  };
}
