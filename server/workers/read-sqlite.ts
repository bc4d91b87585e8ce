import SqliteFile from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadQuery, ThreadResult } from "../../app/db/read-thread.server.ts";
import { withStatementCache } from "../../app/db/statement-cache.ts";

/** Time a query waits for a lock; other processes hold one only while they recover or close the file. */
const BUSY_TIMEOUT_MS = 1000;

/** Worker thread that runs the long queries of a SQLite file (app/db/read-thread.server.ts). */
const file = withStatementCache(new SqliteFile(workerData, { timeout: BUSY_TIMEOUT_MS, readonly: true }));
parentPort?.on("message", ({ id, sql, parameters }: ThreadQuery) => {
  parentPort?.postMessage(execute(id, sql, parameters));
});

function execute(id: number, sql: string, parameters: readonly unknown[]): ThreadResult {
  try {
    return { id, rows: file.prepare(sql).all(parameters) };
  } catch (error) {
    return { id, error };
  }
}
