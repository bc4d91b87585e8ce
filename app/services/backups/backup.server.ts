import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { dumpPostgres, findDumpDamage } from "~/db/copy-postgres.server";
import { RESTORING } from "~/db/interrupted-restore.server";
import {
  copySqlite,
  findDamage,
  isSqliteFile,
  SQLITE_FILE,
  isPreMigrationBackup,
} from "~/db/sqlite-file.server";
import { syncToDisk, writeFileAtomically } from "~/lib/durable-file.server";
import { joinBelow } from "~/lib/join-below.server";
import { parseJson } from "~/lib/parse-json";
import { pathExists } from "~/lib/path-exists.server";
import { mebibytes } from "~/lib/sizes";
import { DISK_RESERVE } from "~/services/disk/disk-reserve.server";
import type { Clock } from "~/services/service-deps";

/** The last time that a Date can hold. */
const LAST_TIME = 8.64e15;

/** Contents of `backup.json`. */
const manifest = z.object({
  /** Version of the format. */
  backup: z.literal(1),
  /** Version of the product. */
  version: z.string(),
  dialect: z.enum(["sqlite", "postgres"]),
  /** Epoch milliseconds at which the copy of the database began. It contains everything acknowledged before. */
  at: z.number().int().min(0).max(LAST_TIME),
  /** SHA-256, in hexadecimal, of every other file, by its path in the backup. */
  files: z.record(z.string(), z.string()),
});
export type BackupManifest = z.infer<typeof manifest>;

const MANIFEST = "backup.json";
/** Database file in a backup: SQLite's file, or the output of pg_dump. */
export const DATABASE_FILE = { sqlite: SQLITE_FILE, postgres: "frontdesk.dump" } as const;
/** Folder of the rest of DATA_DIR. */
export const DATA_FOLDER = "data";
/** Prefix, followed by the time, of the DATA_DIR folder that holds what a restore has replaced. */
export const KEPT_PREFIX = "before-restore-";

/** A line of the manifest has about 130 bytes: this is enough for two million files. */
const MAX_MANIFEST_BYTES = mebibytes(256);

/** Reads a backup's manifest; undefined when there is none, or something else of its name. */
export async function readManifest(folder: string): Promise<BackupManifest | undefined> {
  const path = join(folder, MANIFEST);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_MANIFEST_BYTES) return undefined;
  const text = await readFile(path, "utf8").catch(() => "");
  return manifest.safeParse(parseJson(text)).data;
}

/** Returns the folder of the backup that was taken at that time. */
function getBackupFolder(into: string, at: number): string {
  return join(into, `frontdesk-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`);
}

/** Returns whether the backup of that time is in `into`, without reading its manifest, which may be long. */
export function hasBackup(into: string, at: number): Promise<boolean> {
  return pathExists(join(getBackupFolder(into, at), MANIFEST));
}

/** File in DATA_DIR that records the newest backup: its time, and on the next line the folder it is in. */
const LAST_BACKUP = "last-backup";

/** The newest backup that was taken of a DATA_DIR. */
export interface LastBackup {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Absolute path of the folder of backups; undefined when an earlier version took it. */
  readonly folder: string | undefined;
}

/**
 * Records a backup, for monitoring and for the setup screen. A folder that cannot be written to does not fail the
 * backup.
 */
export async function recordBackup(dataDir: string, { at, folder }: LastBackup): Promise<void> {
  const text = [at, folder].join("\n");
  await writeFileAtomically(join(dataDir, LAST_BACKUP), text).catch(() => undefined);
}

/** Returns the newest backup; undefined when none is known. */
export async function getLastBackup(dataDir: string): Promise<LastBackup | undefined> {
  const text = await readFile(join(dataDir, LAST_BACKUP), "utf8").catch(() => "");
  const [time = "", folder = ""] = text.split("\n");
  const at = Number(time);
  return time && Number.isFinite(at) ? { at, folder: folder || undefined } : undefined;
}

/** Files that mean nothing in another place or at another time. */
const EXCLUDED_FILES = new Set([DISK_RESERVE, LAST_BACKUP]);
/** Path of a backup, for installations whose only disk is DATA_DIR. */
const BACKUP = /(?:^|\/)frontdesk-\d{8}T\d{6}Z/;

/** Lists the paths of all files below a folder, relative to it; nothing that is neither a file nor a folder. */
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
  return (await listFiles(dataDir)).filter((name) => !isLeftOut(name));
}

function isLeftOut(name: string): boolean {
  return (
    isSqliteFile(name) ||
    isPreMigrationBackup(name) ||
    EXCLUDED_FILES.has(name) ||
    name.startsWith(KEPT_PREFIX) ||
    name === RESTORING ||
    name.startsWith(RESTORING + sep) ||
    BACKUP.test(name)
  );
}

/**
 * Returns whether a backup of the dialect can hold a file of this name (hardening C50): its database, or a file of
 * DATA_DIR in the form that `listDataFiles` gives it: inside of it, and none that a backup leaves out, such as the restore's own.
 */
export function isBackupFile(name: string, dialect: BackupManifest["dialect"]): boolean {
  if (name === DATABASE_FILE[dialect]) return true;
  const inData = name.startsWith(DATA_FOLDER + sep) ? name.slice(DATA_FOLDER.length + 1) : "";
  return joinBelow(DATA_FOLDER, inData) === name && !isLeftOut(inData);
}

/** Returns the hash in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Codes of a folder that cannot be created. A read-only disk answers ENOENT too, where the folder above is missing. */
const NOT_WRITABLE = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST"];

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
 * @throws when `into` cannot be written to, there is no database, no space, or the copy is damaged; then nothing is
 *   left behind.
 */
export async function takeBackup(
  { dataDir, url, environment }: Place,
  deps: { into: string; version: string; clock: Clock },
): Promise<{ folder: string; manifest: BackupManifest }> {
  const at = deps.clock();
  const folder = getBackupFolder(deps.into, at);
  const unfinished = `${folder}.unfinished`;
  await mkdir(deps.into, { recursive: true, mode: 0o700 })
    .then(() => mkdir(unfinished, { mode: 0o700 }))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST" && error.path === unfinished)
        throw new Error("Another backup into this folder began in the same second.");
      throw NOT_WRITABLE.includes(error.code ?? "")
        ? new Error(
            `The folder ${resolve(deps.into)} cannot be written to: name one on a disk that is not read-only and that this user may write to.`,
          )
        : error;
    });
  try {
    const dialect = url === undefined ? "sqlite" : "postgres";
    const copy = join(unfinished, DATABASE_FILE[dialect]);
    if (url === undefined) copySqlite(dataDir, copy);
    else await dumpPostgres({ url, environment }, copy);
    await chmod(copy, 0o600);
    const damage = url === undefined ? findDamage(copy) : await findDumpDamage({ url, environment }, copy);
    if (damage !== undefined) throw new Error(`The copy of the database is damaged: ${damage}`);
    await copyDataFolder(dataDir, join(unfinished, DATA_FOLDER));

    const files: Record<string, string> = {};
    // One after another: an outbox has more files than a process may open at once.
    for (const name of await listFiles(unfinished)) {
      await syncToDisk(join(unfinished, name));
      files[name] = await hashFile(join(unfinished, name));
    }
    const manifest: BackupManifest = { backup: 1, version: deps.version, dialect, at, files };
    await writeFile(join(unfinished, MANIFEST), JSON.stringify(manifest, undefined, 2), { flush: true });
    for (const path of await listFolders(unfinished)) await syncToDisk(path);
    await rename(unfinished, folder);
    await syncToDisk(deps.into);
    await recordBackup(dataDir, { at, folder: resolve(deps.into) });
    return { folder, manifest };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Lists the paths of a folder and of all folders below it. */
async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory());
  return [folder, ...below.map((entry) => join(entry.parentPath, entry.name))];
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
