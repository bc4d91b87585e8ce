import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import { getFileSystem } from "~/lib/network-file-system.server";
import { findSqlitePlaceProblem } from "~/db/sqlite-place";

/**
 * Checks the file system of DATA_DIR before SQLite's file is created or opened (hardening R23).
 * @param fileSystem returns the kernel's name of a path's file system.
 * @throws EnvironmentError when SQLite's file must not be stored there.
 */
export function checkDataFolder(
  { DATA_DIR, DATABASE_URL }: Pick<Environment, "DATA_DIR" | "DATABASE_URL">,
  fileSystem: (path: string) => string | undefined = getFileSystem,
): void {
  if (DATABASE_URL !== undefined) return;
  const problem = findSqlitePlaceProblem(DATA_DIR, fileSystem(DATA_DIR));
  if (problem) throw new EnvironmentError(`DATA_DIR: ${problem}`);
}
