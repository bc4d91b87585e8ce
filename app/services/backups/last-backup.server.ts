import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Its name in DATA_DIR: when the newest backup was taken. */
export const LAST_BACKUP = "last-backup";

/** Keeps the moment for whoever watches the age of backups; a folder that cannot be written to says nothing of the backup. */
export async function noteBackup(dataDir: string, at: number): Promise<void> {
  const path = join(dataDir, LAST_BACKUP);
  try {
    await writeFile(`${path}.tmp`, String(at), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
  } catch {
    // The backup itself is whole, and is what was asked for.
  }
}

/** @returns when the newest backup was taken, undefined while none is known. */
export async function lastBackup(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, LAST_BACKUP), "utf8").catch(() => "");
  const at = Number(text);
  return text && Number.isFinite(at) ? at : undefined;
}
