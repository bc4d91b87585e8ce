import SqliteFile from "better-sqlite3";
import { CompiledQuery, Kysely, SqliteDriver, type DatabaseConnection } from "kysely";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { minutes, seconds } from "~/lib/durations";
import { describeProblem } from "./data-folder.server";
import { writeProbe, type Database, type DatabaseOptions } from "./database.server";
import { GroupCommit } from "./group-commit.server";
import { migrate } from "./migrate.server";
import { openReadThread } from "./read-thread.server";
import { createSqliteDialect } from "./sqlite-dialect";
import { rememberSqliteFiles } from "./sqlite-file-identity.server";
import { createPreMigrationBackup, isBusy, SQLITE_FILE } from "./sqlite-file.server";
import { withStatementCache } from "./statement-cache";
import type { Tables } from "./tables";
import { UnusableDatabaseError } from "./unusable-database";

/** Time a write waits for another process's write before it fails (hardening R7). */
const LOCK_TIMEOUT_MS = seconds(5);
/** Time a start waits for another instance's migration, which first copies the file. */
const MIGRATION_TIMEOUT_MS = minutes(10);
/** Time SQLite itself waits, which blocks the whole process; longer waits are ours, and asynchronous. */
const BUSY_TIMEOUT_MS = 5;

/**
 * Opens DATA_DIR/frontdesk.db: WAL, synchronous=FULL (an acknowledged write survives a power cut, R2), file mode
 * 0600 (C35), one connection that writes, one that only reads, and one that reads in a thread of its own.
 */
export async function openSqlite(
  options: Pick<DatabaseOptions, "dataDir" | "retryWhenFull">,
): Promise<Database> {
  const { dataDir, retryWhenFull = (write) => write() } = options;
  const path = join(dataDir, SQLITE_FILE);
  createFile(path);
  const file = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS });
  // Another instance may be switching the new file to WAL, which SQLite's busy timeout does not wait for.
  await retryWhileBusy(MIGRATION_TIMEOUT_MS, () => {
    file.pragma("journal_mode = WAL");
    setSafety(file);
  });
  let assertInPlace = () => {};
  const driver = () => new ImmediateSqliteDriver(file, () => assertInPlace());
  const writer = new Kysely<Tables>({ dialect: createSqliteDialect(driver) });
  await retryWhileBusy(MIGRATION_TIMEOUT_MS, () =>
    writer
      .transaction()
      .execute((transaction) => migrate(transaction, (last) => createPreMigrationBackup(dataDir, last))),
  );
  const reader = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS, readonly: true });
  setSafety(reader);
  const readDriver = () => new SqliteDriver({ database: withStatementCache(reader) });
  const read = new Kysely<Tables>({ dialect: createSqliteDialect(readDriver) });
  const longRead = openReadThread(path, () => assertInPlace());
  assertInPlace = rememberSqliteFiles(path);
  const commits = new GroupCommit(writer);
  const write: Database["write"] = (work) => retryWhenFull(() => commits.write(work));

  return {
    dialect: "sqlite",
    read,
    longRead,
    write,
    probe: () => write(writeProbe),
    close: async () => {
      await commits.idle();
      await longRead.destroy();
      await read.destroy();
      // Kysely does not close a connection that was never used.
      reader.close();
      await writer.destroy();
    },
  };
}

/**
 * Opens the file of a server once more, for a thread of it that reads and writes (decision 125). Only SQLite may open it there:
 * whoever else closes a file drops all locks that the process has on it.
 * @throws when it is not there.
 */
export function openSqliteAgain(dataDir: string): Database {
  const path = join(dataDir, SQLITE_FILE);
  const file = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  setSafety(file);
  const assertInPlace = rememberSqliteFiles(path);
  const driver = () => new ImmediateSqliteDriver(file, assertInPlace);
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(driver) });
  const write: Database["write"] = (work) => db.transaction().execute(work);
  return {
    dialect: "sqlite",
    read: db,
    longRead: db,
    write,
    probe: () => write(writeProbe),
    close: async () => {
      await db.destroy();
      // Kysely does not close a connection that was never used.
      file.close();
    },
  };
}

/** Creates the file if it is missing. @throws UnusableDatabaseError when it cannot be opened for writing. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new UnusableDatabaseError(`DATA_DIR: ${describeProblem(path, error)}`, { cause: error });
  }
}

function setSafety(file: SqliteFile.Database): void {
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  // Erased data is overwritten, so that no page of the file still holds a name.
  file.pragma("secure_delete = ON");
}

/** Begins every transaction as a writing one: takes the lock at once, waiting without blocking the process. */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #file: SqliteFile.Database;
  readonly #assertInPlace: () => void;

  /** @param assertInPlace throws while the file is not the one at its path. */
  constructor(file: SqliteFile.Database, assertInPlace: () => void) {
    super({ database: withStatementCache(file) });
    this.#file = file;
    this.#assertInPlace = assertInPlace;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#assertInPlace();
    await retryWhileBusy(LOCK_TIMEOUT_MS, () =>
      connection.executeQuery(CompiledQuery.raw("begin immediate")),
    );
  }

  /** Checks the file once more: a write that went to a file moved meanwhile must not be acknowledged. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#assertInPlace();
  }

  /** A full disk makes SQLite roll back by itself; a second rollback would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Retries for at most `ms` while another process writes. */
async function retryWhileBusy(ms: number, work: () => unknown): Promise<void> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
}
