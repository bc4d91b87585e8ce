import SqliteFile from "better-sqlite3";
import { CompiledQuery, Kysely, SqliteDriver, type DatabaseConnection } from "kysely";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { minutes, seconds } from "~/lib/durations";
import { writeProbe, type Database } from "./database.server";
import { GroupCommit } from "./group-commit.server";
import { migrate } from "./migrate.server";
import { openReadThread } from "./read-thread.server";
import { createSqliteDialect } from "./sqlite-dialect";
import { createPreMigrationBackup, isBusy, SQLITE_FILE } from "./sqlite-file.server";
import { withStatementCache } from "./statement-cache";
import type { Tables } from "./tables";

/** Time a write waits for another process's write before it fails (hardening R7). */
const LOCK_TIMEOUT_MS = seconds(5);
/** Time a start waits for another instance's migration, which first copies the file. */
const MIGRATION_TIMEOUT_MS = minutes(10);
/** Time SQLite itself waits, which blocks the whole process; longer waits are ours, and asynchronous. */
const BUSY_TIMEOUT_MS = 20;

/**
 * Opens DATA_DIR/frontdesk.db: WAL, synchronous=FULL (an acknowledged write survives a power cut, R2), file mode
 * 0600 (C35), one connection that writes, one that only reads, and one that reads in a thread of its own.
 */
export async function openSqlite(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, SQLITE_FILE);
  closeSync(openSync(path, "a", 0o600));

  const file = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS });
  // Another instance may be switching the new file to WAL, which SQLite's busy timeout does not wait for.
  await retryWhileBusy(MIGRATION_TIMEOUT_MS, () => {
    file.pragma("journal_mode = WAL");
    setSafety(file);
  });
  const writer = new Kysely<Tables>({ dialect: createSqliteDialect(() => new ImmediateSqliteDriver(file)) });
  await retryWhileBusy(MIGRATION_TIMEOUT_MS, () =>
    writer
      .transaction()
      .execute((transaction) => migrate(transaction, (last) => createPreMigrationBackup(dataDir, last))),
  );
  const reader = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS, readonly: true });
  setSafety(reader);
  const readDriver = () => new SqliteDriver({ database: withStatementCache(reader) });
  const read = new Kysely<Tables>({ dialect: createSqliteDialect(readDriver) });
  const longRead = openReadThread(path);
  const commits = new GroupCommit(writer);

  return {
    dialect: "sqlite",
    read,
    longRead,
    write: (work) => commits.write(work),
    probe: () => commits.write(writeProbe),
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

function setSafety(file: SqliteFile.Database): void {
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  // Erased data is overwritten, so that no page of the file still holds a name.
  file.pragma("secure_delete = ON");
}

/** Begins every transaction as a writing one: takes the lock at once, waiting without blocking the process. */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #file: SqliteFile.Database;

  constructor(file: SqliteFile.Database) {
    super({ database: withStatementCache(file) });
    this.#file = file;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryWhileBusy(LOCK_TIMEOUT_MS, () =>
      connection.executeQuery(CompiledQuery.raw("begin immediate")),
    );
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
