import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import { fileSystemOf } from "~/lib/network-file-system.server";
import { problemWithSqliteAt } from "~/db/sqlite-place";

/**
 * Before SQLite's file is made or opened (hardening R23).
 * @param fileSystem what tells the kernel's name of a path's file system.
 * @throws EnvironmentError where it may not lie.
 */
export function checkDataFolder(
  { DATA_DIR, DATABASE_URL }: Pick<Environment, "DATA_DIR" | "DATABASE_URL">,
  fileSystem: (path: string) => string | undefined = fileSystemOf,
): void {
  if (DATABASE_URL !== undefined) return;
  const problem = problemWithSqliteAt(DATA_DIR, fileSystem(DATA_DIR));
  if (problem) throw new EnvironmentError(`The environment is not usable:\n  DATA_DIR: ${problem}`);
}
