import { parentPort, workerData } from "node:worker_threads";
import type { Delimiter } from "../../app/lib/import-file.ts";
import { readImportFile } from "../../app/lib/read-import-file.ts";

/** Worker thread that reads one file of people (app/services/imports): a message a batch, the next when it is asked for. */
const { bytes, delimiter } = workerData as { bytes: Uint8Array; delimiter: Delimiter | undefined };
const messages = readImportFile(bytes, delimiter);
parentPort?.on("message", async () => {
  const { value } = await messages.next();
  parentPort?.postMessage(value);
});
