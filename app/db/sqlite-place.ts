import { isNetworkFileSystem } from "~/lib/network-file-system.server";

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
