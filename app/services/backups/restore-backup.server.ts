import {
  chmod,
  copyFile,
  link,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { damageOf, isInUse, lockFolder } from "~/db/copy-sqlite.server";
import { damageOfDump, hasOtherClients, migrationsInDump, replacePostgres } from "~/db/copy-postgres.server";
import { openDatabase } from "~/db/open-database.server";
import {
  isDatabaseReplaced,
  planPath,
  PREPARED,
  readRestorePlan,
  RESTORING,
  schemaForKept,
} from "~/db/interrupted-restore.server";
import type { RestorePlan } from "~/db/interrupted-restore.server";
import { NewerDatabaseError, refuseUnknown } from "~/db/migrate.server";
import { freeBytes } from "~/lib/free-bytes.server";
import { pathExists } from "~/lib/path-exists.server";
import { bytesToMegabytes } from "~/lib/sizes";
import {
  DATA_FOLDER,
  DATABASE_FILE,
  dataFilesIn,
  filesIn,
  KEPT,
  MANIFEST,
  parseManifest,
  sha256Of,
  syncToDisk,
} from "./backup-files.server";
import type { BackupManifest } from "./backup-files.server";
import type { Place } from "./take-backup.server";

/**
 * - no-backup: the folder holds none that is whole.
 * - damaged: a file of it is missing or was changed, or its database is not sound; `detail` says which.
 * - other-database: it was taken of the other kind of database.
 * - newer: its database was made by a later version of this program.
 * - no-space: DATA_DIR has less space than it takes to prepare everything.
 * - in-use: a server has the database open.
 * - going-on: another process restores into this DATA_DIR.
 */
export type RestoreProblem =
  "no-backup" | "damaged" | "other-database" | "newer" | "no-space" | "in-use" | "going-on";

export type RestoreOutcome =
  | {
      readonly ok: true;
      /** The absolute path of the backup: another one than asked for when the restore of that was interrupted. */
      readonly folder: string;
      /** Epoch milliseconds: when the backup was taken. */
      readonly takenAt: number;
      /** The folder with what was replaced. */
      readonly kept: string;
      /** PostgreSQL's schema with the tables that were replaced; undefined with SQLite. */
      readonly keptSchema: string | undefined;
      /** How many campaigns and notifications were under way. */
      readonly paused: number;
    }
  | { readonly ok: false; readonly error: RestoreProblem; readonly detail?: string };

export interface RestoreOptions {
  /** The backup. */
  readonly folder: string;
  /** What paused campaigns and notifications say. */
  readonly trouble: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called before each step that changes something on disk or in the database. */
  readonly onStep?: (step: string) => void;
  readonly getFreeBytes?: (folder: string) => Promise<number>;
}

type Options = Required<RestoreOptions>;

/** In DATA_DIR: links to what is about to be replaced, until they are complete. */
const OLD = join(RESTORING, "old");

/**
 * Puts a backup in the place of all there is (hardening R33). Everything is copied into a folder of DATA_DIR and checked there
 * first; what is to be replaced is linked into a folder of its own; then one rename, with PostgreSQL one transaction, replaces
 * the database, and the files follow. Interrupted before that rename, nothing has changed; interrupted after it, what was there
 * before is whole in its folder, and the next call finishes. Until then no server starts (`refuseInterruptedRestore`).
 *
 * Sends and notifications that were under way are paused: whom they reached after the backup was taken is not known in it, and
 * an operator has to decide.
 * @throws when a copy, a tool or the database fails; `describeInterruptedRestore` says where what is if something is left.
 */
export async function restoreBackup(place: Place, options: RestoreOptions): Promise<RestoreOutcome> {
  const marker = join(place.dataDir, RESTORING);
  await mkdir(marker, { recursive: true, mode: 0o700 });
  const release = lockFolder(join(marker, "lock"));
  if (!release) return { ok: false, error: "going-on" };
  try {
    const interrupted = await readRestorePlan(place.dataDir);
    if (await isDatabaseInUse(place)) {
      // It may be the rest of the interrupted one, about to commit: what that needs stays.
      if (!interrupted) await dropPrepared(place, { withMarker: true });
      return { ok: false, error: "in-use" };
    }
    return await restoreAlone(place, interrupted, {
      folder: resolve(options.folder),
      trouble: options.trouble,
      now: options.now,
      onStep: options.onStep ?? (() => undefined),
      getFreeBytes: options.getFreeBytes ?? freeBytes,
    }).finally(async () => {
      if (!(await isUnfinished(place))) await dropPrepared(place, { withMarker: true });
    });
  } finally {
    release();
  }
}

async function restoreAlone(
  place: Place,
  interrupted: RestorePlan | undefined,
  options: Options,
): Promise<RestoreOutcome> {
  const { dataDir, url } = place;
  const { folder, onStep } = options;
  if (interrupted && (await isDatabaseReplaced(place, interrupted))) {
    return finish(place, interrupted, options);
  }
  await dropPrepared(place);

  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => "");
  const manifest = parseManifest(text);
  if (!manifest) return { ok: false, error: "no-backup" };
  if ((manifest.dialect === "postgres") !== (url !== undefined))
    return { ok: false, error: "other-database" };
  const prepared = await prepare(place, manifest, options);
  if (!prepared.ok) return prepared;
  // A server that was just starting may have passed the marker before it was there.
  if (await isDatabaseInUse(place)) return { ok: false, error: "in-use" };
  const plan = {
    folder,
    takenAt: manifest.at,
    kept: `${KEPT}${options.now}`,
    files: prepared.files,
    paused: prepared.paused,
  };
  await keepReplaced(place, plan, onStep);

  onStep("replace the database");
  if (url === undefined) {
    await rename(join(dataDir, PREPARED, DATABASE_FILE.sqlite), join(dataDir, DATABASE_FILE.sqlite));
  } else {
    const dump = join(folder, DATABASE_FILE.postgres);
    const keepIn = schemaForKept(plan.kept);
    await replacePostgres({ url, environment: place.environment }, dump, { keepIn, onStep });
  }
  return finish(place, plan, options);
}

async function isDatabaseInUse({ dataDir, url }: Place): Promise<boolean> {
  if (url !== undefined) return hasOtherClients(url);
  return (await pathExists(join(dataDir, DATABASE_FILE.sqlite))) && isInUse(dataDir);
}

type Prepared =
  | { readonly ok: true; readonly files: string[]; readonly paused: number }
  | { readonly ok: false; readonly error: RestoreProblem; readonly detail?: string };

/** Copies what the backup holds to where it is moved from later, and checks the copies: nothing else is put in place. */
async function prepare(place: Place, manifest: BackupManifest, options: Options): Promise<Prepared> {
  const { dataDir, url, environment } = place;
  const { folder, onStep } = options;
  const target = join(dataDir, PREPARED);
  const parts = Object.entries(manifest.files).map(([name, sum]) => ({ name, sum, copy: getCopyName(name) }));

  let needed = 0;
  for (const { name, copy } of parts) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found) return { ok: false, error: "damaged", detail: `${name} is missing` };
    // The database is copied once more when it is brought up to date.
    if (copy !== undefined) needed += name === DATABASE_FILE.sqlite ? 2 * found.size : found.size;
  }
  const free = await options.getFreeBytes(dataDir);
  if (needed > free) {
    const detail = `${Math.ceil(bytesToMegabytes(needed))} MB are needed, ${Math.floor(bytesToMegabytes(free))} are free`;
    return { ok: false, error: "no-space", detail };
  }

  await mkdir(target, { mode: 0o700 });
  for (const { name, sum, copy } of parts) {
    const path = join(copy === undefined ? folder : target, copy ?? name);
    if (copy !== undefined) {
      onStep(`copy ${copy}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await copyFile(join(folder, name), path);
      await chmod(path, 0o600);
      await syncToDisk(path);
    }
    if ((await sha256Of(path)) !== sum) {
      return { ok: false, error: "damaged", detail: `${name} is not as it was written` };
    }
  }

  const database = join(url === undefined ? target : folder, DATABASE_FILE[manifest.dialect]);
  const damage = url === undefined ? damageOf(database) : await damageOfDump({ url, environment }, database);
  if (damage !== undefined) return { ok: false, error: "damaged", detail: damage };
  onStep("prepare the database");
  try {
    if (url !== undefined) refuseUnknown(await migrationsInDump({ url, environment }, database));
    const paused = url === undefined ? await pauseAll({ dataDir: target, url }, options.trouble) : 0;
    return { ok: true, files: await filesIn(target), paused };
  } catch (error) {
    if (error instanceof NewerDatabaseError) return { ok: false, error: "newer" };
    throw error;
  }
}

/** @returns where a file of a backup is copied to, in DATA_DIR; undefined for a dump, which is read where it lies. */
function getCopyName(name: string): string | undefined {
  if (name.startsWith(DATA_FOLDER + sep)) return relative(DATA_FOLDER, name);
  return name === DATABASE_FILE.postgres ? undefined : name;
}

/**
 * Links all that is to be replaced into one folder: renamed over or removed afterwards, a file is still whole there. What a
 * backup does not hold stays where it is, and so does the backup itself.
 */
async function keepReplaced({ dataDir, url }: Place, plan: RestorePlan, onStep: (step: string) => void) {
  const names = await dataFilesIn(dataDir);
  if (url === undefined) {
    // Its writes would be taken for those of the database that comes.
    if (await pathExists(join(dataDir, `${DATABASE_FILE.sqlite}-wal`))) {
      throw new Error(`${DATABASE_FILE.sqlite}-wal is in ${dataDir}, and the database does not take it in`);
    }
    if (await pathExists(join(dataDir, DATABASE_FILE.sqlite))) names.push(DATABASE_FILE.sqlite);
  }
  const [root, backup] = [await realpath(dataDir), await realpath(plan.folder)];
  const old = join(dataDir, OLD);
  await mkdir(old, { mode: 0o700 });
  for (const name of names) {
    if (join(root, name).startsWith(backup + sep)) continue;
    onStep(`keep ${name}`);
    await mkdir(dirname(join(old, name)), { recursive: true, mode: 0o700 });
    await link(join(dataDir, name), join(old, name));
  }
  onStep("write the plan");
  const path = planPath(dataDir);
  await writeFile(`${path}.tmp`, JSON.stringify(plan), { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
  onStep("name what is kept");
  await rename(old, join(dataDir, plan.kept));
  await syncToDisk(dataDir);
}

/** Puts the files in place after the database. Interrupted, it can be done again. */
async function finish(place: Place, plan: RestorePlan, options: Options): Promise<RestoreOutcome> {
  const { dataDir, url } = place;
  const { onStep } = options;
  const kept = join(dataDir, plan.kept);
  const prepared = join(dataDir, PREPARED);
  onStep("pause what is under way");
  const paused = url === undefined ? 0 : await pauseAll({ dataDir: prepared, url }, options.trouble);
  const files = new Set(plan.files);
  for (const name of await filesIn(kept)) {
    if (files.has(name)) continue;
    onStep(`remove ${name}`);
    await rm(join(dataDir, name), { force: true });
  }
  for (const name of await filesIn(prepared)) {
    onStep(`place ${name}`);
    await mkdir(dirname(join(dataDir, name)), { recursive: true, mode: 0o700 });
    await rename(join(prepared, name), join(dataDir, name));
  }
  await syncToDisk(dataDir);
  onStep("end");
  // One rename says that it is over; what is removed afterwards is empty.
  await rename(join(dataDir, RESTORING), join(kept, RESTORING));
  await rm(join(kept, RESTORING), { recursive: true });
  return {
    ok: true,
    folder: plan.folder,
    takenAt: plan.takenAt,
    kept,
    keptSchema: url === undefined ? undefined : schemaForKept(plan.kept),
    paused: plan.paused + paused,
  };
}

/** Whether nothing of it may be dropped any more: the database is replaced, and the rest is not. */
async function isUnfinished(place: Place): Promise<boolean> {
  const plan = await readRestorePlan(place.dataDir);
  return plan !== undefined && (await isDatabaseReplaced(place, plan));
}

/** Removes what a restore prepared that did not replace the database. The plan goes before what it speaks of. */
async function dropPrepared({ dataDir }: Place, { withMarker = false } = {}): Promise<void> {
  const plan = await readRestorePlan(dataDir);
  if (plan) await rm(join(dataDir, plan.kept), { recursive: true, force: true });
  await rm(planPath(dataDir), { force: true });
  for (const name of withMarker ? [RESTORING] : [PREPARED, OLD]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** @returns how many were under way. */
async function pauseAll(place: Pick<Place, "dataDir" | "url">, trouble: string): Promise<number> {
  const database = await openDatabase({
    ...place,
    // A lost connection: whatever it was busy with fails by itself, and a throw from here would end the process.
    onError: () => undefined,
  });
  try {
    return await database.write(async (trx) => {
      const going = ["preparing", "sending"] as const;
      const campaigns = await trx
        .updateTable("campaigns")
        .set({ state: "paused", trouble })
        .where("state", "in", going)
        .executeTakeFirstOrThrow();
      const broadcasts = await trx
        .updateTable("broadcasts")
        .set({ state: "paused", trouble })
        .where("state", "in", going)
        .executeTakeFirstOrThrow();
      return Number(campaigns.numUpdatedRows + broadcasts.numUpdatedRows);
    });
  } finally {
    await database.close();
  }
}
