import SqliteFile from "better-sqlite3";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { seconds } from "~/lib/durations";

const NAME = "frontdesk.db";
/** Suffixes of the files that exist while the database is in use. */
const FILE_SUFFIXES = ["", "-wal", "-shm"];

/** Returns whether an error says that another connection has the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteFile.SqliteError && error.code.startsWith("SQLITE_BUSY");

/** Returns whether a file of a data folder belongs to the database. */
export const isSqliteFile = (name: string) => FILE_SUFFIXES.some((end) => name === NAME + end);

/**
 * Copies the database as of this moment into a new file, while the server runs: reading blocks no write (WAL), and
 * writes do not restart the copy, as they do with SQLite's backup interface.
 * @throws when there is no database, or no space.
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

/** Checks a database file; returns its damage, or undefined when it is valid. */
export function findDamage(path: string): string | undefined {
  const file = new SqliteFile(path, { fileMustExist: true, readonly: true });
  try {
    const result = file.pragma("integrity_check(1)", { simple: true });
    return result === "ok" ? undefined : String(result);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    file.close();
  }
}

/**
 * Locks a folder against other processes, until it is released or this process ends.
 * @param path of a file in it that serves only as the lock.
 * @returns the function that releases it; undefined while another process has the lock.
 */
export function lockFolder(path: string): (() => void) | undefined {
  const file = new SqliteFile(path, { timeout: 0 });
  try {
    file.exec("begin exclusive");
    return () => file.close();
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Returns whether a server, or another program, has the database open. */
export function isSqliteInUse(dataDir: string): boolean {
  const file = new SqliteFile(join(dataDir, NAME), { fileMustExist: true, timeout: 0 });
  try {
    // In WAL mode, an exclusive lock requires that nobody else is connected.
    file.pragma("locking_mode = exclusive");
    file.exec("begin exclusive; rollback");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    file.close();
  }
}
