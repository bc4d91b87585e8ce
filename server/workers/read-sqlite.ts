import SqliteFile from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadQuery, ThreadResult } from "../../app/db/read-thread.server.ts";
import { withStatementCache } from "../../app/db/statement-cache.ts";

/** Time a query waits for a lock; other processes hold one only while they recover or close the file. */
const BUSY_TIMEOUT_MS = 1000;

/** Worker thread that runs the long queries of a SQLite file, in their order (app/db/read-thread.server.ts). */
const file = withStatementCache(new SqliteFile(workerData, { timeout: BUSY_TIMEOUT_MS, readonly: true }));
parentPort?.on("message", (query: ThreadQuery) => parentPort?.postMessage(execute(query)));

function execute({ sql, parameters }: ThreadQuery): ThreadResult {
  try {
    return { rows: file.prepare(sql).all(parameters) };
  } catch (error) {
    return { error };
  }
}
