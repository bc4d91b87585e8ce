import SqliteFile from "better-sqlite3";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { seconds } from "~/lib/durations";

const NAME = "frontdesk.db";
/** Next to the file while it is in use. */
const COMPANIONS = ["", "-wal", "-shm"];

/** Whether a file of a data folder is the database's own. */
export const isSqliteFile = (name: string) => COMPANIONS.some((end) => name === NAME + end);

/**
 * Copies the database as it is at this moment into a new file, while the server goes on: reading holds up no write (WAL),
 * and writes do not make it begin again, as they do with SQLite's backup interface.
 * @throws when there is none, or no room.
 */
export function copySqlite(dataDir: string, to: string): void {
  const file = new SqliteFile(join(dataDir, NAME), { fileMustExist: true, timeout: seconds(5) });
  try {
    file.prepare("vacuum into ?").run(to);
  } finally {
    file.close();
  }
  chmodSync(to, 0o600);
}

/** What is wrong with a database file; undefined when it is sound. */
export function damageOf(path: string): string | undefined {
  const file = new SqliteFile(path, { fileMustExist: true, readonly: true });
  try {
    const answer = file.pragma("integrity_check(1)", { simple: true });
    return answer === "ok" ? undefined : String(answer);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    file.close();
  }
}

/**
 * Locks a folder against other processes, for as long as this one lives and does not release it.
 * @param path of a file in it that is the lock and nothing else.
 * @returns what releases it; undefined while another process has it.
 */
export function lockFolder(path: string): (() => void) | undefined {
  const file = new SqliteFile(path, { timeout: 0 });
  try {
    file.exec("begin exclusive");
    return () => file.close();
  } catch (error) {
    file.close();
    if (error instanceof SqliteFile.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}

/** Whether a server, or another program, has the database open. */
export function isInUse(dataDir: string): boolean {
  const file = new SqliteFile(join(dataDir, NAME), { fileMustExist: true, timeout: 0 });
  try {
    // In WAL mode nobody else may even be connected.
    file.pragma("locking_mode = exclusive");
    file.exec("begin exclusive; rollback");
    return false;
  } catch (error) {
    if (error instanceof SqliteFile.SqliteError && error.code.startsWith("SQLITE_BUSY")) return true;
    throw error;
  } finally {
    file.close();
  }
}
