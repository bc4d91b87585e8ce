import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { isPreMigrationBackup } from "~/db/pre-migration-backup.server";
import { isSqliteFile } from "~/db/copy-sqlite.server";
import { RESTORING } from "~/db/interrupted-restore.server";
import { DISK_RESERVE } from "~/services/disk/disk-reserve.server";

/** Contents of `backup.json`. */
const manifest = z.object({
  /** Version of the format. */
  backup: z.literal(1),
  /** Version of the product. */
  version: z.string(),
  dialect: z.enum(["sqlite", "postgres"]),
  /** Epoch milliseconds at which the copy of the database began. It contains everything acknowledged before. */
  at: z.number().int(),
  /** SHA-256, in hexadecimal, of every other file, by its path in the backup. */
  files: z.record(z.string(), z.string()),
});
export type BackupManifest = z.infer<typeof manifest>;

export const MANIFEST = "backup.json";
/** Database file in a backup: SQLite's file, or the output of pg_dump. */
export const DATABASE_FILE = { sqlite: "frontdesk.db", postgres: "frontdesk.dump" } as const;
/** Folder of the rest of DATA_DIR. */
export const DATA_FOLDER = "data";
/** Prefix, followed by the time, of the DATA_DIR folder that holds what a restore has replaced. */
export const KEPT_PREFIX = "before-restore-";

/** Parses a manifest; undefined when the text is none. */
export function parseManifest(text: string): BackupManifest | undefined {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** File in DATA_DIR that records when the newest backup was taken. */
export const LAST_BACKUP = "last-backup";

/**
 * Records the time of a backup for monitoring of its age. A folder that cannot be written to does not fail the
 * backup.
 */
export async function recordBackupTime(dataDir: string, at: number): Promise<void> {
  const path = join(dataDir, LAST_BACKUP);
  try {
    await writeFile(`${path}.tmp`, String(at), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
  } catch {
    // The backup itself is complete, which is all that was requested.
  }
}

/** Returns when the newest backup was taken; undefined when none is known. */
export async function getLastBackupTime(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, LAST_BACKUP), "utf8").catch(() => "");
  const at = Number(text);
  return text && Number.isFinite(at) ? at : undefined;
}

/** Files that mean nothing in another place or at another time. */
const EXCLUDED_FILES = new Set([DISK_RESERVE, LAST_BACKUP]);
/** Path of a backup, for installations whose only disk is DATA_DIR. */
const BACKUP = /(?:^|\/)frontdesk-\d{8}T\d{6}Z/;

/**
 * Lists the paths of all files below a folder, relative to it. Entries that are neither files nor folders are left
 * out.
 */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Lists the files of DATA_DIR that a backup holds beside the database and that a restore replaces: no backups,
 * nothing kept by restores and updates, and nothing that describes this disk alone.
 */
export async function listDataFiles(dataDir: string): Promise<string[]> {
  const isLeftOut = (name: string) =>
    isSqliteFile(name) ||
    isPreMigrationBackup(name) ||
    EXCLUDED_FILES.has(name) ||
    name.startsWith(KEPT_PREFIX) ||
    name.startsWith(RESTORING + sep) ||
    BACKUP.test(name);
  return (await listFiles(dataDir)).filter((name) => !isLeftOut(name));
}

/**
 * Waits until a file's content, or a folder's names, are on disk: a rename may otherwise survive a power cut that
 * its content does not.
 */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the hash in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
