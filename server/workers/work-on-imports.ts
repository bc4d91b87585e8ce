import { parentPort, workerData } from "node:worker_threads";
import type {
  ImportThreadInput,
  ImportThreadMessage,
} from "../../app/services/imports/import-worker.server.ts";
import { importAsViteDoes } from "../../scripts/vite-imports.ts";

importAsViteDoes();
const { openDatabase } = await import("../../app/db/open-database.server.ts");
const { workOnImports } = await import("../../app/services/imports/import-work.server.ts");
const { newId } = await import("../../app/services/service-deps.ts");

/** Worker thread that does the work that imports have (app/services/imports/import-worker.server.ts), and ends. */
let isOver = false;
parentPort?.once("message", () => (isOver = true));

const place = workerData as ImportThreadInput;
const database = await openDatabase({
  ...place,
  connections: 1,
  onError: (err) => tell({ level: "warn", fields: { err }, message: "lost a database connection" }),
});
const log = {
  error: (fields: object, message: string) => tell({ level: "error", fields, message }),
};
try {
  await workOnImports({ database, clock: Date.now, newId, log }, () => isOver);
} finally {
  await database.close();
  parentPort?.close();
}

function tell(message: ImportThreadMessage): void {
  parentPort?.postMessage(message);
}
