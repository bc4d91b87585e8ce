import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { seconds } from "~/lib/durations";
import { pathExists } from "~/lib/path-exists.server";

/**
 * The folder of DATA_DIR in which a restore prepares what it puts in place (hardening R33). It is there from the first moment
 * of a restore to its last, so it also says that one is going on, or was interrupted.
 */
export const RESTORING = "restoring";
/** In that folder: what is to take the place of DATA_DIR's files. */
export const PREPARED = join(RESTORING, "new");
const PLAN = join(RESTORING, "restore.json");
const SQLITE_FILE = "frontdesk.db";

const plan = z.object({
  /** The absolute path of the backup. */
  folder: z.string(),
  /** Epoch milliseconds: when the backup was taken. */
  takenAt: z.number().int(),
  /** Name of the folder of DATA_DIR that holds what is replaced. */
  kept: z.string(),
  /** The paths in DATA_DIR of all files of the backup. */
  files: z.array(z.string()),
  /** How many campaigns and notifications that were under way are paused in the prepared database. */
  paused: z.number().int(),
});
/** Written when everything is prepared and checked, just before the database is replaced. */
export type RestorePlan = z.infer<typeof plan>;

interface Place {
  readonly dataDir: string;
  readonly url?: string | undefined;
}

/** A restore did not come to its end. Its sentences are for the person at the terminal. */
export class InterruptedRestoreError extends Error {
  override name = "InterruptedRestoreError";
}

export const planPath = (dataDir: string) => join(dataDir, PLAN);

/** @returns undefined while nothing is ready to be put in place. */
export async function readRestorePlan(dataDir: string): Promise<RestorePlan | undefined> {
  const text = await readFile(planPath(dataDir), "utf8").catch(() => undefined);
  return text === undefined ? undefined : plan.parse(JSON.parse(text));
}

/** The schema of PostgreSQL that holds the tables a restore has replaced. */
export const schemaForKept = (kept: string) => kept.replaceAll("-", "_");

/** Whether the database is the backup's already: from then on a restore can only be finished, before it can only be dropped. */
export async function isDatabaseReplaced({ dataDir, url }: Place, { kept }: RestorePlan): Promise<boolean> {
  if (url === undefined) return !(await pathExists(join(dataDir, PREPARED, SQLITE_FILE)));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: seconds(5) });
  await client.connect();
  try {
    const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [
      schemaForKept(kept),
    ]);
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/**
 * Refuses to open a database that a restore is being put in the place of: SQLite would make an empty one where none is yet,
 * and the files beside it may still be those of another time (hardening R33).
 * @throws InterruptedRestoreError, which says where the data is and what to do.
 */
export async function refuseInterruptedRestore(place: Place): Promise<void> {
  if (await pathExists(join(place.dataDir, RESTORING))) throw await describeInterruptedRestore(place);
}

export async function describeInterruptedRestore(place: Place): Promise<InterruptedRestoreError> {
  const { dataDir, url } = place;
  const prepared = await readRestorePlan(dataDir);
  const command = `npm run restore -- ${prepared?.folder ?? "FOLDER"}`;
  if (prepared === undefined || !(await isDatabaseReplaced(place, prepared))) {
    const left = prepared === undefined ? [RESTORING] : [RESTORING, prepared.kept];
    return new InterruptedRestoreError(
      `A restore is going on in ${dataDir}, or was interrupted. It has replaced nothing: what was there before is whole. ` +
        `To restore, run ${command} again. To go on with what was there before, remove ${left.map((name) => join(dataDir, name)).join(" and ")}.`,
    );
  }
  const tables = url === undefined ? "" : `, its tables in the schema ${schemaForKept(prepared.kept)}`;
  return new InterruptedRestoreError(
    `A restore was interrupted in ${dataDir} after it had replaced the database. ` +
      `What was there before is whole in ${join(dataDir, prepared.kept)}${tables}. ` +
      `Run ${command} again: it puts the rest in its place.`,
  );
}
