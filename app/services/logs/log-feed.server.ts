import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { seconds } from "~/lib/durations";
import { createWorker, type WorkLoop, type WorkerOptions } from "~/services/queue/worker.server";
import type { LogLines } from "~/lib/log-lines";
import type { LogStore } from "./log-store";
import { parsePinoLine } from "./pino-line";

/** Lines per transaction: a few milliseconds of SQLite's single writer. */
const BATCH = 500;
/** Time for which lines are batched. */
const BATCH_MS = seconds(1);
/** Pause between consecutive batches, for other writes. */
const PAUSE_MS = 20;

interface LogFeedDeps {
  readonly source: LogLines;
  readonly store: Pick<LogStore, "append">;
  /** Lines that an earlier process could not store: stored first. */
  readonly rest: Pick<LogRest, "read" | "clear">;
  readonly log: WorkerOptions["log"] & { warn(fields: object, message: string): void };
  readonly setTimer?: WorkerOptions["setTimer"];
}

/**
 * Writes the lines of the server's logger to the log store in the background: once a second, in batches. While
 * the store is unavailable they wait in the source, which drops what exceeds its capacity; the number of
 * dropped lines is logged once the store is back.
 */
export function createLogFeed({ source, store, rest, log, setTimer }: LogFeedDeps) {
  const waiting = rest.read();
  let hasRest = waiting.length > 0;
  let batch: string[] = [];
  let stopping = false;

  const loop: WorkLoop = {
    async next() {
      if (batch.length === 0) batch = waiting.length > 0 ? waiting.splice(0, BATCH) : source.take(BATCH);
      if (batch.length > 0) {
        await store.append(batch.map(parsePinoLine));
        batch = [];
      }
      if (hasRest && waiting.length === 0) {
        rest.clear();
        hasRest = false;
      }
      const lines = source.takeDropped();
      if (lines > 0) log.warn({ lines }, "the log store could not keep up, so it lacks lines");
      if (loop.idle) return BATCH_MS;
      return stopping ? 0 : PAUSE_MS;
    },
    beginStopping() {
      stopping = true;
    },
    get idle() {
      return batch.length === 0 && waiting.length === 0 && source.isEmpty;
    },
    inFlight: 0,
  };
  const worker = createWorker("storing the log", () => loop, { log, ...(setTimer && { setTimer }) });
  return {
    ...worker,
    /** Returns the lines that are not stored yet, for the end of the process. */
    unstored(): string[] {
      const lines = [...batch, ...waiting];
      while (!source.isEmpty) lines.push(...source.take(BATCH));
      return lines;
    },
  };
}

export type LogRest = ReturnType<typeof createLogRest>;

/**
 * Opens the file beside the data with the last lines of a process, such as why it ended, that could not be
 * stored in time. The next start stores them.
 */
export function createLogRest(path: string) {
  return {
    /** Writes lines synchronously, for the end of the process. */
    keep(lines: readonly string[]): void {
      if (lines.length === 0) return;
      try {
        writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
      } catch {
        // Ignored: standard output has the lines.
      }
    },
    /** Returns the kept lines. The file stays until `clear`. */
    read(): string[] {
      try {
        return readFileSync(path, "utf8").split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
    clear: () => rmSync(path, { force: true }),
  };
}
