import { parentPort, workerData } from "node:worker_threads";
import type { Delimiter } from "../../app/lib/import-file.ts";
import { readImportFile } from "../../app/lib/read-import-file.ts";

/** Worker thread that reads one file of people (app/services/imports): a message a batch, the next when it is asked for. */
const { file, delimiter } = workerData as { file: Blob; delimiter: Delimiter | undefined };
const messages = readImportFile(new Uint8Array(await file.arrayBuffer()), delimiter);
parentPort?.on("message", async () => {
  const { value } = await messages.next();
  parentPort?.postMessage(value);
});
