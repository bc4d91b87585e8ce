import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { copySqlite } from "./copy-sqlite.server";

const NAME_PREFIX = "before-update-";
const MAX_COPIES = 3;

/** Returns whether a file of a data folder is a copy of the database from before a migration. */
export const isPreMigrationBackup = (name: string) => name.startsWith(NAME_PREFIX);

/**
 * Copies the database beside itself, under the name of its last migration, before the next one (hardening R24); the
 * newest three copies are kept. The migrating process holds the database's write lock, so that only one instance
 * does this.
 * @throws when there is no space; then the schema must not be changed.
 */
export function createPreMigrationBackup(dataDir: string, from: string): void {
  const path = join(dataDir, `${NAME_PREFIX}${from}.db`);
  const unfinished = `${path}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    copySqlite(dataDir, unfinished);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new Error(
      `The database was not migrated, because its backup ${path} could not be written: ${error instanceof Error ? error.message : String(error)}`,
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
  for (const path of others.slice(MAX_COPIES - 1)) rmSync(path, { force: true });
}
