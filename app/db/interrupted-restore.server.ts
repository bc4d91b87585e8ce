import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { pathExists } from "~/lib/path-exists.server";
import { withPostgresClient } from "./connect-postgres.server";
import type { DatabaseOptions } from "./database.server";
import { SQLITE_FILE } from "./sqlite-file.server";
import { UnusableDatabaseError } from "./unusable-database";

/**
 * Folder of DATA_DIR in which a restore prepares the files that it puts in place (hardening R33). It exists from
 * the first moment of a restore to its last, and so also marks a running or interrupted one.
 */
export const RESTORING = "restoring";
/** Subfolder with the files that replace those of DATA_DIR. */
export const PREPARED = join(RESTORING, "new");
const PLAN = join(RESTORING, "restore.json");

const plan = z.object({
  /** Absolute path of the backup. */
  folder: z.string(),
  /** Epoch milliseconds at which the backup was taken. */
  takenAt: z.number().int(),
  /** Name of the folder of DATA_DIR that holds what is replaced. */
  kept: z.string(),
  /** Paths in DATA_DIR of all files of the backup. */
  files: z.array(z.string()),
  /** Number of campaigns and notifications that are paused in the prepared database. */
  paused: z.number().int(),
  /** Number of plans to repeat a wave that have ended in it. An earlier version did not write it. */
  ended: z.number().int().default(0),
});
/** Plan of a restore, written when everything is prepared and checked, just before the database is replaced. */
export type RestorePlan = z.infer<typeof plan>;

type Place = Pick<DatabaseOptions, "dataDir" | "url">;

/** Reports that a restore did not finish. The message is for the operator at the terminal. */
export class InterruptedRestoreError extends UnusableDatabaseError {
  override name = "InterruptedRestoreError";
}

export const planPath = (dataDir: string) => join(dataDir, PLAN);

/** Reads the plan; undefined while nothing is ready to be put in place. */
export async function readRestorePlan(dataDir: string): Promise<RestorePlan | undefined> {
  const text = await readFile(planPath(dataDir), "utf8").catch(() => undefined);
  return text === undefined ? undefined : plan.parse(JSON.parse(text));
}

/** Returns the PostgreSQL schema that holds the tables a restore has replaced. */
export const getKeptSchema = (kept: string) => kept.replaceAll("-", "_");

/** Returns whether the database is already the backup's: then a restore can only be finished, not dropped. */
export async function isDatabaseReplaced({ dataDir, url }: Place, { kept }: RestorePlan): Promise<boolean> {
  if (url === undefined) return !(await pathExists(join(dataDir, PREPARED, SQLITE_FILE)));
  return withPostgresClient(url, async (client) => {
    const schema = getKeptSchema(kept);
    const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
    return rows.length > 0;
  });
}

/**
 * Refuses to open a database while a restore is in progress or interrupted: SQLite would create an empty one where
 * none is yet, and the files beside it may still be from another time (hardening R33).
 * @throws InterruptedRestoreError, which says where the data is and what to do.
 */
export async function refuseInterruptedRestore(place: Place): Promise<void> {
  if (await pathExists(join(place.dataDir, RESTORING))) throw await describeInterruptedRestore(place);
}

async function describeInterruptedRestore(place: Place): Promise<InterruptedRestoreError> {
  const { dataDir, url } = place;
  const prepared = await readRestorePlan(dataDir);
  const command = `npm run restore -- ${prepared?.folder ?? "FOLDER"}`;
  if (prepared === undefined || !(await isDatabaseReplaced(place, prepared))) {
    const left = prepared === undefined ? [RESTORING] : [RESTORING, prepared.kept];
    return new InterruptedRestoreError(
      `A restore is running in ${dataDir}, or was interrupted. It has replaced nothing: the previous data is complete. ` +
        `To restore, run ${command} again. To continue with the previous data, remove ${left.map((name) => join(dataDir, name)).join(" and ")}.`,
    );
  }
  const tables = url === undefined ? "" : `, its tables in the schema ${getKeptSchema(prepared.kept)}`;
  return new InterruptedRestoreError(
    `A restore was interrupted in ${dataDir} after it had replaced the database. ` +
      `The previous data is complete in ${join(dataDir, prepared.kept)}${tables}. ` +
      `Run ${command} again to restore the rest.`,
  );
}
