import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { isCopyBeforeChange } from "~/db/pre-migration-backup.server";
import { isSqliteFile } from "~/db/copy-sqlite.server";
import { RESTORING } from "~/db/interrupted-restore.server";
import { DISK_RESERVE } from "~/services/disk/disk-reserve.server";

/** What stands in `backup.json`. */
const manifest = z.object({
  /** Of this format. */
  backup: z.literal(1),
  /** The product's. */
  version: z.string(),
  dialect: z.enum(["sqlite", "postgres"]),
  /** Epoch milliseconds: when the copy of the database was begun. What was acknowledged before is in it. */
  at: z.number().int(),
  /** The SHA-256, in hexadecimal, of every other file, by its path in the backup. */
  files: z.record(z.string(), z.string()),
});
export type BackupManifest = z.infer<typeof manifest>;

export const MANIFEST = "backup.json";
/** The database in a backup: SQLite's file, or what pg_dump writes. */
export const DATABASE_FILE = { sqlite: "frontdesk.db", postgres: "frontdesk.dump" } as const;
/** The rest of DATA_DIR. */
export const DATA_FOLDER = "data";
/** What a folder of DATA_DIR is called, up to the time, that holds what a restore has replaced. */
export const KEPT = "before-restore-";

/** @returns undefined when it is none. */
export function parseManifest(text: string): BackupManifest | undefined {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

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
