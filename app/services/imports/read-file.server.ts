import { on } from "node:events";
import type { Delimiter, FileColumn, FileLine, FileMessage, FileProblem } from "~/lib/import-file";
import { startWorker } from "~/lib/run-in-worker.server";

/** Limits the thread's heap: a file of 64 MiB, decoded twice. */
const MAX_HEAP_MB = 768;

type ReadFile =
  | {
      readonly ok: true;
      readonly encoding: Extract<FileMessage, { kind: "end" }>["encoding"];
      readonly delimiter: Delimiter;
      readonly columns: readonly FileColumn[];
      readonly lines: number;
    }
  | ({ readonly ok: false } & FileProblem);

/**
 * Reads a file in a thread of its own, because it would block the event loop (C37).
 * @param file its bytes are not copied: the thread gets them from where they are.
 * @param store gets the lines in batches; the thread waits for it.
 */
export async function readFile(
  file: Blob,
  delimiter: Delimiter | undefined,
  store: (lines: readonly FileLine[]) => Promise<void>,
): Promise<ReadFile> {
  const limits = { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } };
  const worker = startWorker("read-import", { file, delimiter }, limits);
  // Ends when the thread does, and throws what it threw. No batch is kept once it was stored (C37).
  const messages = on(worker, "message", { close: ["exit"] });
  try {
    worker.postMessage("next");
    for await (const [message] of messages as AsyncIterable<[FileMessage]>) {
      if (message.kind === "lines") {
        await store(message.lines);
        worker.postMessage("next");
        continue;
      }
      const { kind, ...rest } = message;
      return kind === "end"
        ? ({ ok: true, ...rest } as Extract<ReadFile, { ok: true }>)
        : ({ ok: false, ...rest } as Extract<ReadFile, { ok: false }>);
    }
    throw new Error("The thread read-import ended without an answer");
  } finally {
    await worker.terminate();
  }
}
