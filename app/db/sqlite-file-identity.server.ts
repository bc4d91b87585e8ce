import { realpathSync, statSync } from "node:fs";

/** Reports that the open database is no longer the file at its path. The message is for the operator. */
export class ReplacedDatabaseError extends Error {
  override name = "ReplacedDatabaseError";
  /** SQLite's own name for it, by which it counts as a database that is away (app/lib/is-database-unavailable.ts). */
  readonly code = "SQLITE_READONLY_DBMOVED";

  constructor(path: string) {
    super(
      `${path} was removed, moved or replaced while this server had it open, so nothing is stored. ` +
        "Put the same file back (moved, not copied) and the server continues by itself. " +
        "A restart continues with the files that are there then; what a removed file held is lost with this process.",
    );
  }
}

/**
 * Remembers which files an open database consists of, by device and inode (hardening R54). SQLite goes on using a file
 * that was removed or renamed, and acknowledges writes that nobody will find. Other programs that open the database
 * recreate a missing -wal or -shm, and then neither side sees what the other writes.
 * @param path of a database open in WAL mode, which has all its files.
 * @returns a function that throws ReplacedDatabaseError while one of the paths leads to another file or to none. It
 *   takes some 20 microseconds.
 */
export function rememberSqliteFiles(path: string): () => void {
  // SQLite writes the other two beside the file that a symbolic link leads to.
  const target = realpathSync(path);
  const files = [path, `${target}-wal`, `${target}-shm`].map((each) => ({ path: each, id: identify(each) }));
  return () => {
    const replaced = files.find((file) => identify(file.path) !== file.id);
    if (replaced) throw new ReplacedDatabaseError(replaced.path);
  };
}

/** Returns device and inode of the file at a path; undefined when it cannot be found. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
