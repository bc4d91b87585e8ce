import { accessSync, constants, mkdirSync } from "node:fs";
import { getErrorMessage } from "~/lib/error-message";
import { UnusableDatabaseError } from "./unusable-database";

/**
 * Creates DATA_DIR with access for its owner only, whatever the database is (hardening R44): emails, the disk reserve
 * and the last log lines are stored there too.
 * @throws UnusableDatabaseError when it is not a folder, or this process may not write to it.
 */
export function createDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UnusableDatabaseError(`DATA_DIR: ${describeProblem(path, error)}`, { cause: error });
  }
}

/** Says why a path of DATA_DIR cannot be written, and what to do about it. */
export function describeProblem(path: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST" || code === "ENOTDIR") return `${path} is not a folder: name a folder.`;
  if (code === "EROFS") return `${path} is on a read-only file system: mount a writable volume there.`;
  if (code === "EACCES" || code === "EPERM") {
    const uid = process.geteuid?.() ?? 0;
    return `${path} cannot be written by this process (uid ${uid}): create it if it is missing, and run chown -R ${uid} ${path}`;
  }
  return `${path} cannot be used: ${getErrorMessage(error)}`;
}
