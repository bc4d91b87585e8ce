import { isNetworkFileSystem } from "~/lib/network-file-system.server";

/**
 * Why SQLite's file may not lie there (hardening R23, https://sqlite.org/wal.html): its WAL is an index in memory that all who
 * have it open share, and over a network, or through a program, they may be on different machines.
 * @param fileSystem the kernel's name of it; undefined where that is not told.
 */
export function problemWithSqliteAt(path: string, fileSystem: string | undefined): string | undefined {
  if (fileSystem === undefined || !isNetworkFileSystem(fileSystem)) return undefined;
  return (
    `${path} lies on ${fileSystem}, a network file system, where SQLite loses data (WAL needs a disk of this machine): ` +
    "choose a local disk, or PostgreSQL with DATABASE_URL."
  );
}
