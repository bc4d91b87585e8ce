import { chmod, copyFile, link, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findDumpDamage, listDumpMigrations, replacePostgres } from "~/db/copy-postgres.server";
import { openDatabase } from "~/db/open-database.server";
import {
  isDatabaseReplaced,
  planPath,
  PREPARED,
  readRestorePlan,
  RESTORING,
  getKeptSchema,
} from "~/db/interrupted-restore.server";
import type { RestorePlan } from "~/db/interrupted-restore.server";
import { NewerDatabaseError, assertKnownMigrations } from "~/db/migrate.server";
import { findDamage, isPreMigrationBackup, lockFolder } from "~/db/sqlite-file.server";
import { isDatabaseInUse } from "~/db/unmigrated-database.server";
import { syncToDisk, writeFileAtomically } from "~/lib/durable-file.server";
import { freeBytes } from "~/lib/free-bytes.server";
import { pathExists } from "~/lib/path-exists.server";
import { bytesToMegabytes } from "~/lib/sizes";
import {
  DATA_FOLDER,
  DATABASE_FILE,
  isBackupFile,
  listDataFiles,
  listFiles,
  KEPT_PREFIX,
  readManifest,
  hashFile,
} from "./backup.server";
import { withdrawPendingEmailChanges } from "~/services/email-changes/withdraw-pending.server";
import { revokePending } from "~/services/invitations/revoke-pending.server";
import { skipAutomaticEmails } from "~/services/mail/transactional/skip-automatic.server";
import { pauseAll } from "~/services/queue/pause-all.server";
import { endAllPlans } from "~/services/waves/wave-plan-rows.server";
import { skipDueReminders } from "~/services/waves/wave-reminders.server";
import type { BackupManifest, Place } from "./backup.server";

/** scripts/restore.ts has the sentences. */
type RestoreProblem =
  "no-backup" | "damaged" | "other-database" | "newer" | "no-space" | "in-use" | "going-on";

/** What this restore, or an earlier one, has stopped for an operator to decide on. */
interface Stopped {
  /** Number of campaigns and notifications that are paused. */
  readonly paused: number;
  /** Number of plans to repeat a wave that have ended. */
  readonly ended: number;
}

export type RestoreOutcome =
  | ({
      readonly ok: true;
      /** Absolute path of the backup; not the requested one when an interrupted restore was finished. */
      readonly folder: string;
      /** Epoch milliseconds at which the backup was taken. */
      readonly takenAt: number;
      /** Folder with the replaced files. */
      readonly kept: string;
      /** PostgreSQL schema with the replaced tables; undefined with SQLite. */
      readonly keptSchema: string | undefined;
    } & Stopped)
  | {
      readonly ok: false;
      readonly error: RestoreProblem;
      /** What is damaged, or how much space is needed and free. */
      readonly detail?: string;
    };

interface RestoreOptions {
  /** Folder of the backup. */
  readonly folder: string;
  /** Reason that paused campaigns and notifications show. */
  readonly problem: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called before each step that changes something on disk or in the database. */
  readonly onStep?: (step: string) => void;
  readonly getFreeBytes?: (folder: string) => Promise<number>;
}

type Options = Required<RestoreOptions>;

/** Folder in DATA_DIR: links to what is about to be replaced, until they are complete. */
const OLD = join(RESTORING, "old");

/**
 * Replaces all data with a backup (hardening R33). First copies everything into a folder of DATA_DIR and checks it
 * there; then links what is to be replaced into a folder of its own; then one rename, with PostgreSQL one
 * transaction, replaces the database, and the files follow. When interrupted before that rename, nothing has
 * changed; when interrupted after it, the previous data is complete in its folder, and the next call finishes the
 * restore. Until then no server starts (`refuseInterruptedRestore`).
 *
 * What is under way in the backup is stopped (`stopRestored`): the backup does not know whom it reached after it was taken,
 * so an operator has to decide.
 * @throws when a copy, a tool or the database fails; `refuseInterruptedRestore` then tells where the data
 *   is, if anything is left.
 */
export async function restoreBackup(place: Place, options: RestoreOptions): Promise<RestoreOutcome> {
  const marker = join(place.dataDir, RESTORING);
  await mkdir(marker, { recursive: true, mode: 0o700 });
  const release = lockFolder(join(marker, "lock"));
  if (!release) return { ok: false, error: "going-on" };
  try {
    const interrupted = await readRestorePlan(place.dataDir);
    let isFree = false;
    try {
      isFree = !(await isDatabaseInUse(place));
    } finally {
      // Nothing was prepared where the database is in use or cannot be asked. Of an interrupted restore the files stay: its
      // psql may be what is connected, about to commit.
      if (!isFree && !interrupted) await dropPrepared(place, { withMarker: true });
    }
    if (!isFree) return { ok: false, error: "in-use" };
    return await restoreAlone(place, interrupted, {
      onStep: () => undefined,
      getFreeBytes: freeBytes,
      ...options,
      folder: resolve(options.folder),
    }).finally(async () => {
      const plan = await readRestorePlan(place.dataDir);
      // A restore that has replaced the database must be finished; PostgreSQL may still be committing what psql sent.
      if (!plan || (!(await isDatabaseInUse(place)) && !(await isDatabaseReplaced(place, plan))))
        await dropPrepared(place, { withMarker: true });
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

  const manifest = await readManifest(folder);
  if (!manifest) return { ok: false, error: "no-backup" };
  if ((manifest.dialect === "postgres") !== (url !== undefined))
    return { ok: false, error: "other-database" };
  const prepared = await prepare(place, manifest, options);
  if (!prepared.ok) return prepared;
  // A server that was just starting may have passed the check before the marker existed.
  if (await isDatabaseInUse(place)) return { ok: false, error: "in-use" };
  const { files, paused, ended } = prepared;
  const plan = { folder, takenAt: manifest.at, kept: `${KEPT_PREFIX}${options.now}`, files, paused, ended };
  await keepReplaced(place, plan, onStep);

  onStep("replace the database");
  if (url === undefined) {
    await rename(join(dataDir, PREPARED, DATABASE_FILE.sqlite), join(dataDir, DATABASE_FILE.sqlite));
  } else {
    const dump = join(folder, DATABASE_FILE.postgres);
    const keepIn = getKeptSchema(plan.kept);
    await replacePostgres({ url, environment: place.environment }, dump, { keepIn, onStep });
  }
  return finish(place, plan, options);
}

type Prepared =
  ({ readonly ok: true; readonly files: string[] } & Stopped) | Extract<RestoreOutcome, { ok: false }>;

/**
 * Copies the contents of the backup and verifies the copies: only these are put in place. A backup may come from
 * anywhere, so all its names and files are judged before the first one is copied (hardening C50).
 */
async function prepare(place: Place, manifest: BackupManifest, options: Options): Promise<Prepared> {
  const { dataDir, url, environment } = place;
  const { folder, onStep } = options;
  const target = join(dataDir, PREPARED);
  const files = new Map(Object.entries(manifest.files));
  const parts = [...files].map(([name, sum]) => ({ name, sum, copy: getCopyName(name) }));
  const foreign = [...files.keys()].find((name) => !isBackupFile(name, manifest.dialect));
  if (foreign !== undefined)
    return { ok: false, error: "damaged", detail: `${foreign} is no file of a backup` };
  const databaseFile = DATABASE_FILE[manifest.dialect];
  if (!files.has(databaseFile)) return { ok: false, error: "damaged", detail: `${databaseFile} is missing` };

  let needed = 0;
  const root = await realpath(folder);
  for (const { name, copy } of parts) {
    const found = await lstat(join(root, name)).catch(() => undefined);
    if (!found) return { ok: false, error: "damaged", detail: `${name} is missing` };
    // The second condition finds a link among the folders above it.
    if (!found.isFile() || (await realpath(join(root, name))) !== join(root, name))
      return { ok: false, error: "damaged", detail: `${name} is a link or a folder` };
    if (copy !== undefined && !(await canPlace(join(dataDir, copy))))
      return {
        ok: false,
        error: "damaged",
        detail: `${name} does not fit: DATA_DIR has a folder of its name, or a file where its folder would be`,
      };
    // The database is copied once more when it is migrated.
    if (copy !== undefined) needed += name === DATABASE_FILE.sqlite ? 2 * found.size : found.size;
  }
  const free = await options.getFreeBytes(dataDir);
  if (needed > free) {
    const detail = `${Math.ceil(bytesToMegabytes(needed))} MB are needed, ${Math.floor(bytesToMegabytes(free))} are free`;
    return { ok: false, error: "no-space", detail };
  }

  await mkdir(target, { mode: 0o700 });
  for (const { name, sum, copy } of parts) {
    // A dump is not copied: it is verified where it is.
    const path = copy === undefined ? join(root, name) : join(target, copy);
    if (copy !== undefined) {
      onStep(`copy ${copy}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await copyFile(join(root, name), path);
      await chmod(path, 0o600);
      await syncToDisk(path);
    }
    if ((await hashFile(path)) !== sum) {
      return { ok: false, error: "damaged", detail: `${name} was changed after the backup` };
    }
  }

  const database = join(url === undefined ? target : root, databaseFile);
  const damage =
    url === undefined ? findDamage(database) : await findDumpDamage({ url, environment }, database);
  if (damage !== undefined) return { ok: false, error: "damaged", detail: damage };
  onStep("prepare the database");
  try {
    if (url !== undefined) assertKnownMigrations(await listDumpMigrations({ url, environment }, database));
    // With PostgreSQL there is no database to open yet: `finish` stops what is in it.
    const stopped =
      url === undefined ? await stopRestored({ dataDir: target, url }, options) : { paused: 0, ended: 0 };
    // A copy from before its migration says what the backup does, and would replace an older one of DATA_DIR.
    for (const name of (await listFiles(target)).filter(isPreMigrationBackup)) await rm(join(target, name));
    return { ok: true, files: await listFiles(target), ...stopped };
  } catch (error) {
    if (error instanceof NewerDatabaseError) return { ok: false, error: "newer" };
    throw error;
  }
}

/** Returns whether a file can be put there: no folder has its name, and what is above it are folders. */
async function canPlace(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => !found.isDirectory(),
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** Returns the path in DATA_DIR that a file is copied to; undefined for a dump, which stays in the backup. */
function getCopyName(name: string): string | undefined {
  if (name.startsWith(DATA_FOLDER + sep)) return relative(DATA_FOLDER, name);
  return name === DATABASE_FILE.postgres ? undefined : name;
}

/**
 * Links everything that is to be replaced into one folder, also files that this backup lacks, which `finish` removes: what
 * is renamed over or removed is still complete there. What no backup holds (`listDataFiles`) is no part of it, nor is the
 * backup itself.
 */
async function keepReplaced({ dataDir, url }: Place, plan: RestorePlan, onStep: (step: string) => void) {
  const names = await listDataFiles(dataDir);
  if (url === undefined) {
    // `isDatabaseInUse` merges it when it closes the file. Writes in one that is left would be applied to the restored database.
    if (await pathExists(join(dataDir, `${DATABASE_FILE.sqlite}-wal`))) {
      throw new Error(
        `${DATABASE_FILE.sqlite}-wal is in ${dataDir} and could not be merged into the database`,
      );
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
  await writeFileAtomically(planPath(dataDir), JSON.stringify(plan));
  onStep("name what is kept");
  await rename(old, join(dataDir, plan.kept));
  await syncToDisk(dataDir);
}

/** Puts the files in place after the database, and removes the others. Idempotent: an interrupted call can be repeated. */
async function finish(place: Place, plan: RestorePlan, options: Options): Promise<RestoreOutcome> {
  const { dataDir, url } = place;
  const { onStep } = options;
  const kept = join(dataDir, plan.kept);
  const prepared = join(dataDir, PREPARED);
  onStep("stop what is under way");
  const { paused, ended } =
    url === undefined ? plan : await stopRestored({ dataDir: prepared, url }, options);
  const files = new Set(plan.files);
  for (const name of await listFiles(kept)) {
    if (files.has(name)) continue;
    onStep(`remove ${name}`);
    await rm(join(dataDir, name), { force: true });
  }
  for (const name of await listFiles(prepared)) {
    onStep(`place ${name}`);
    await mkdir(dirname(join(dataDir, name)), { recursive: true, mode: 0o700 });
    await rename(join(prepared, name), join(dataDir, name));
  }
  await syncToDisk(dataDir);
  onStep("end");
  // One rename ends the restore; nothing that is removed afterwards is needed.
  await rename(join(dataDir, RESTORING), join(kept, RESTORING));
  await rm(join(kept, RESTORING), { recursive: true });
  return {
    ok: true,
    folder: plan.folder,
    takenAt: plan.takenAt,
    kept,
    keptSchema: url === undefined ? undefined : getKeptSchema(plan.kept),
    paused,
    ended,
  };
}

/** Removes what a restore prepared that did not replace the database; what it kept first, and the plan next. */
async function dropPrepared({ dataDir }: Place, { withMarker = false } = {}): Promise<void> {
  const plan = await readRestorePlan(dataDir);
  if (plan) await rm(join(dataDir, plan.kept), { recursive: true, force: true });
  await rm(planPath(dataDir), { force: true });
  for (const name of withMarker ? [RESTORING] : [PREPARED, OLD]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/**
 * Pauses campaigns and notifications that are in progress, ends repeating waves, revokes pending invitations, withdraws
 * pending changes of addresses, whose links may have been used or have ended since, and leaves out automatic emails and
 * reminders, which may have been sent since. Idempotent.
 */
async function stopRestored(
  place: Pick<Place, "dataDir" | "url">,
  { problem, now }: Pick<Options, "problem" | "now">,
): Promise<Stopped> {
  // A lost connection fails its current query by itself, and a throw from here would end the process.
  const database = await openDatabase({ ...place, onError: () => undefined });
  try {
    return await database.write(async (trx) => {
      await revokePending(trx, now);
      await withdrawPendingEmailChanges(trx, now);
      await skipAutomaticEmails(trx, now);
      await skipDueReminders(trx, now);
      // Not only what this call stops: an interrupted restore is repeated.
      return {
        paused: await pauseAll(trx, { hold: "restored", hold_detail: problem }),
        ended: await endAllPlans(trx, "restored"),
      };
    });
  } finally {
    await database.close();
  }
}
