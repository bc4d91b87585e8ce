import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { isCopyBeforeChange } from "~/db/copies-before-change.server";
import { isSqliteFile } from "~/db/copy-sqlite.server";
import { RESTORING } from "~/db/interrupted-restore.server";
import { DISK_RESERVE } from "~/services/disk/disk-reserve.server";
import { KEPT } from "./backup-manifest";
import { LAST_BACKUP } from "./last-backup.server";

/** Files that say nothing in another place or at another time. */
const LEFT_OUT = new Set([DISK_RESERVE, LAST_BACKUP]);
/** What lies in a backup, as where DATA_DIR is the only disk there is. */
const BACKUP = /(?:^|\/)frontdesk-\d{8}T\d{6}Z/;

/** Paths of all files below a folder, relative to it. What is neither a file nor a folder is left out. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * The files of DATA_DIR that a backup holds beside the database, and a restore replaces: neither backups nor what restores
 * and updates have kept, nor what says something of this disk alone.
 */
export async function dataFilesIn(dataDir: string): Promise<string[]> {
  const isLeftOut = (name: string) =>
    isSqliteFile(name) ||
    isCopyBeforeChange(name) ||
    LEFT_OUT.has(name) ||
    name.startsWith(KEPT) ||
    name.startsWith(RESTORING + sep) ||
    BACKUP.test(name);
  return (await filesIn(dataDir)).filter((name) => !isLeftOut(name));
}

/** Waits until a file's content, or a folder's names, are on disk: a rename may otherwise outlive what it renames. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** In hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
