import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copySqlite, findDamage } from "~/db/copy-sqlite.server";
import { findDumpDamage, dumpPostgres } from "~/db/copy-postgres.server";
import { pathExists } from "~/lib/path-exists.server";
import type { Clock } from "~/services/clock";
import {
  DATA_FOLDER,
  DATABASE_FILE,
  listDataFiles,
  listFiles,
  MANIFEST,
  recordBackupTime,
  hashFile,
} from "./backup-files.server";
import type { BackupManifest } from "./backup-files.server";

/** Installation to back up or restore. */
export interface Place {
  readonly dataDir: string;
  /** URL of PostgreSQL; undefined means SQLite. */
  readonly url: string | undefined;
  /** Environment of PostgreSQL's programs. */
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Copies everything the product keeps into a new folder below `into`, while servers run (hardening R30): first the
 * database as of one moment, then the rest of DATA_DIR, so that every file a row refers to is already there. The
 * folder gets its name only when it is complete, on disk and valid.
 * @returns the folder.
 * @throws when there is no database, no space, or the copy is damaged; then nothing is left behind.
 */
export async function takeBackup(
  { dataDir, url, environment }: Place,
  deps: { into: string; version: string; clock: Clock },
): Promise<{ folder: string; manifest: BackupManifest }> {
  const at = deps.clock();
  const folder = join(deps.into, `frontdesk-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`);
  const unfinished = `${folder}.unfinished`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const dialect = url === undefined ? "sqlite" : "postgres";
    const copy = join(unfinished, DATABASE_FILE[dialect]);
    if (url === undefined) copySqlite(dataDir, copy);
    else await dumpPostgres({ url, environment }, copy);
    const damage = url === undefined ? findDamage(copy) : await findDumpDamage({ url, environment }, copy);
    if (damage !== undefined) throw new Error(`The copy of the database is damaged: ${damage}`);
    await copyDataFolder(dataDir, join(unfinished, DATA_FOLDER));

    const files: Record<string, string> = {};
    // One after another: an outbox has more files than a process may open at once.
    for (const name of await listFiles(unfinished)) files[name] = await hashFile(join(unfinished, name));
    const manifest: BackupManifest = {
      backup: 1,
      version: deps.version,
      dialect,
      at,
      files,
    };
    await writeFile(join(unfinished, MANIFEST), JSON.stringify(manifest, undefined, 2), { flush: true });
    await rename(unfinished, folder);
    await recordBackupTime(dataDir, at);
    return { folder, manifest };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Files removed meanwhile, such as an email of an erased person, are left out. */
async function copyDataFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  if (!(await pathExists(from))) return;
  for (const name of await listDataFiles(from)) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    await copyFile(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}
