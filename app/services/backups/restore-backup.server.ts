import { copyFile, cp, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { damageOf, isInUse } from "~/db/copy-sqlite.server";
import { damageOfDump, hasOtherClients, restorePostgres } from "~/db/copy-postgres.server";
import { openDatabase } from "~/db/database.server";
import { pathExists } from "~/lib/path-exists.server";
import { sha256Of } from "./backup-files.server";
import { DATABASE_FILE, DATA_FOLDER, KEPT, MANIFEST, parseManifest } from "./backup-manifest";
import type { BackupManifest } from "./backup-manifest";
import type { Place } from "./take-backup.server";

/**
 * - no-backup: the folder holds none that is whole.
 * - damaged: a file of it is missing or was changed, or its database is not sound; `detail` says which.
 * - other-database: it was taken of the other kind of database.
 * - in-use: a server has the database open.
 */
export type RestoreOutcome =
  | { readonly ok: true; readonly manifest: BackupManifest; readonly kept: string; readonly paused: number }
  | { readonly ok: false; readonly error: "no-backup" | "other-database" | "in-use" }
  | { readonly ok: false; readonly error: "damaged"; readonly detail: string };

/**
 * Puts a backup in the place of all there is. Nothing is touched before the backup is known to be sound; what stood in
 * DATA_DIR is kept in a folder there. Sends and notifications that were under way are paused: whom they reached after the backup was
 * taken is not known in it, and an operator has to decide.
 * @param trouble what paused ones say.
 */
export async function restoreBackup(
  { dataDir, url, environment }: Place,
  has: { folder: string; trouble: string; now: number },
): Promise<RestoreOutcome> {
  const text = await readFile(join(has.folder, MANIFEST), "utf8").catch(() => "");
  const manifest = parseManifest(text);
  if (!manifest) return { ok: false, error: "no-backup" };
  const isPostgres = url !== undefined;
  if ((manifest.dialect === "postgres") !== isPostgres) return { ok: false, error: "other-database" };
  const damage = await damageIn(has.folder, manifest, { dataDir, url, environment });
  if (damage !== undefined) return { ok: false, error: "damaged", detail: damage };
  const isThere = await pathExists(join(dataDir, DATABASE_FILE.sqlite));
  const inUse = isPostgres ? await hasOtherClients(url) : isThere && isInUse(dataDir);
  if (inUse) return { ok: false, error: "in-use" };

  const copy = join(has.folder, DATABASE_FILE[manifest.dialect]);
  // First: it changes all or, where it fails, nothing, and then the files stay too.
  if (isPostgres) await restorePostgres({ url, environment }, copy);
  // Inside, because the folder may be a volume, which cannot be renamed.
  const kept = join(dataDir, `${KEPT}${has.now}`);
  await mkdir(kept, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(KEPT)) await rename(join(dataDir, name), join(kept, name));
  }
  await cp(join(has.folder, DATA_FOLDER), dataDir, { recursive: true });
  if (!isPostgres) await copyFile(copy, join(dataDir, DATABASE_FILE.sqlite));
  return { ok: true, manifest, kept, paused: await pauseAll({ dataDir, url }, has.trouble) };
}

async function damageIn(folder: string, manifest: BackupManifest, place: Place): Promise<string | undefined> {
  for (const [name, sum] of Object.entries(manifest.files)) {
    const found = await sha256Of(join(folder, name)).catch(() => undefined);
    if (found === undefined) return `${name} is missing`;
    if (found !== sum) return `${name} is not as it was written`;
  }
  const copy = join(folder, DATABASE_FILE[manifest.dialect]);
  const { url, environment } = place;
  return url === undefined ? damageOf(copy) : damageOfDump({ url, environment }, copy);
}

/** @returns how many were under way. */
async function pauseAll(place: Pick<Place, "dataDir" | "url">, trouble: string): Promise<number> {
  const database = await openDatabase({
    ...place,
    onError: (error) => {
      throw error;
    },
  });
  try {
    return await database.write(async (trx) => {
      const going = ["preparing", "sending"] as const;
      const sends = await trx
        .updateTable("sends")
        .set({ state: "paused", trouble })
        .where("state", "in", going)
        .executeTakeFirstOrThrow();
      const broadcasts = await trx
        .updateTable("broadcasts")
        .set({ state: "paused", trouble })
        .where("state", "in", going)
        .executeTakeFirstOrThrow();
      return Number(sends.numUpdatedRows + broadcasts.numUpdatedRows);
    });
  } finally {
    await database.close();
  }
}
