import { seconds } from "~/lib/durations";
import { createWorker } from "~/services/worker.server";
import type { Rounds, Worker, WorkerOptions } from "~/services/worker.server";
import type { LogStore } from "./log-store";
import { fromPinoLine } from "./pino-line";

/** Stored in one transaction: a few milliseconds of the one writer there is on SQLite. */
const BATCH = 500;
/** How long lines wait for others. */
const GATHER_MS = seconds(1);
/** Between batches that follow each other, for those who wait with their writes. */
const BREATH_MS = 20;

/** Where the lines come from (server/line-queue.ts). */
interface LogSource {
  take(most: number): string[];
  takeDropped(): number;
  readonly isEmpty: boolean;
}

export interface LogFeedParts {
  readonly source: LogSource;
  readonly store: Pick<LogStore, "append">;
  /** What an earlier process could not store (log-rest.server.ts): stored first. */
  readonly rest: { read(): string[]; forget(): void };
  readonly log: WorkerOptions["log"] & { warn(fields: object, message: string): void };
  readonly alarm?: WorkerOptions["alarm"];
}

export interface LogFeed extends Worker {
  /** The logger's lines that are not stored, for the end of the process. */
  unstored(): string[];
}

/**
 * Brings the lines of the server's logger to the log store, beside the requests: once a second, a batch at a time. While the
 * store is away they wait in the source, which drops what it cannot hold; how many is a line of the log once it is back.
 */
export function createLogFeed({ source, store, rest, log, alarm }: LogFeedParts): LogFeed {
  const waiting = rest.read();
  let hasRest = waiting.length > 0;
  let batch: string[] = [];
  let stopping = false;

  const rounds: Rounds = {
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
      if (rounds.idle) return GATHER_MS;
      return stopping ? 0 : BREATH_MS;
    },
    beginStopping() {
      stopping = true;
    },
    get idle() {
      return batch.length === 0 && waiting.length === 0 && source.isEmpty;
    },
    inFlight: 0,
    gathers: false,
  };
  const worker = createWorker("storing the log", () => rounds, { log, ...(alarm && { alarm }) });
  return {
    ...worker,
    unstored() {
      const lines = [...batch, ...waiting];
      while (!source.isEmpty) lines.push(...source.take(BATCH));
      return lines;
    },
  };
}
