import { parentPort, workerData } from "node:worker_threads";
import type { ImportThreadMessage } from "../../app/services/imports/import-worker.server.ts";
import { importAsViteDoes } from "../../scripts/vite-imports.ts";

importAsViteDoes();
const { openSqliteAgain } = await import("../../app/db/sqlite.server.ts");
const { workOnImports } = await import("../../app/services/imports/import-work.server.ts");
const { newId } = await import("../../app/services/service-deps.ts");

/** Worker thread that does the work that imports have (app/services/imports/import-worker.server.ts), and ends. */
let isStopping = false;
parentPort?.once("message", () => (isStopping = true));

const database = openSqliteAgain(workerData);
const log = {
  error: (...message: ImportThreadMessage) => parentPort?.postMessage(message),
};
try {
  await workOnImports({ database, clock: Date.now, newId, log }, () => isStopping);
} finally {
  await database.close();
  parentPort?.close();
}
