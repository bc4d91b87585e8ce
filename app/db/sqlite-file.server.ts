import SqliteFile from "better-sqlite3";
import { chmodSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { seconds } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";
import { isNetworkFileSystem } from "~/lib/network-file-system.server";

/** Name of the database's file in DATA_DIR, and in a backup. */
export const SQLITE_FILE = "frontdesk.db";
/** Suffixes of the files that exist while the database is in use. */
const FILE_SUFFIXES = ["", "-wal", "-shm"];

/**
 * Returns why SQLite's file must not be stored on a file system (hardening R23, https://sqlite.org/wal.html): all
 * processes that open it share the WAL index in memory, and over a network, or through a program, they may be on
 * different machines.
 * @param fileSystem the kernel's name of it; undefined where it is unknown.
 */
export function findSqlitePlaceProblem(path: string, fileSystem: string | undefined): string | undefined {
  if (fileSystem === undefined || !isNetworkFileSystem(fileSystem)) return undefined;
  return (
    `${path} is on ${fileSystem}, a network file system, where SQLite loses data (WAL needs a local disk): ` +
    "choose a local disk, or PostgreSQL with DATABASE_URL."
  );
}

/** Returns whether an error says that another connection has the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteFile.SqliteError && error.code.startsWith("SQLITE_BUSY");

/** Returns whether a file of a data folder belongs to the database. */
export const isSqliteFile = (name: string) => FILE_SUFFIXES.some((end) => name === SQLITE_FILE + end);

/**
 * Copies the database as of this moment into a new file, while the server runs: reading blocks no write (WAL), and
 * writes do not restart the copy, as they do with SQLite's backup interface.
 * @throws when there is no database, or no space.
 */
export function copySqlite(dataDir: string, to: string): void {
  const file = new SqliteFile(join(dataDir, SQLITE_FILE), { fileMustExist: true, timeout: seconds(5) });
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
    return getErrorMessage(error);
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

/** Returns whether an error says that a file is no database, or a broken one. */
const isDamaged = (error: unknown): boolean =>
  error instanceof SqliteFile.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code);

/** Returns whether a server, or another program, has the database open; of no use to any is a damaged one. */
export function isSqliteInUse(dataDir: string): boolean {
  const file = new SqliteFile(join(dataDir, SQLITE_FILE), { fileMustExist: true, timeout: 0 });
  try {
    // In WAL mode, an exclusive lock requires that nobody else is connected.
    file.pragma("locking_mode = exclusive");
    file.exec("begin exclusive; rollback");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    file.close();
  }
}

const PRE_MIGRATION_PREFIX = "before-update-";
const MAX_PRE_MIGRATION_COPIES = 3;

/** Returns whether a file of a data folder is a copy of the database from before a migration. */
export const isPreMigrationBackup = (name: string) => name.startsWith(PRE_MIGRATION_PREFIX);

/**
 * Copies the database beside itself, under the name of its last migration, before the next one (hardening R24); the
 * newest three copies are kept. The migrating process holds the database's write lock, so that only one instance
 * does this.
 * @throws when there is no space; then the schema must not be changed.
 */
export function createPreMigrationBackup(dataDir: string, from: string): void {
  const path = join(dataDir, `${PRE_MIGRATION_PREFIX}${from}.db`);
  const unfinished = `${path}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    copySqlite(dataDir, unfinished);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new Error(
      `The database was not migrated, because its backup ${path} could not be written: ${getErrorMessage(error)}`,
      { cause: error },
    );
  }
  removeOldest(dataDir, path);
}

function removeOldest(dataDir: string, newest: string): void {
  const others = readdirSync(dataDir)
    .filter(isPreMigrationBackup)
    .map((name) => join(dataDir, name))
    .filter((path) => path !== newest)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of others.slice(MAX_PRE_MIGRATION_COPIES - 1)) rmSync(path, { force: true });
}
