import { leave, settings } from "./command.ts";
import { importAsViteDoes } from "./vite-imports.ts";

/** npm run restore -- FOLDER: puts a backup in the place of all there is (docs/operations.md). The server must be stopped. */
importAsViteDoes();
const { restoreBackup } = await import("../app/services/backups/restore-backup.server.ts");

const PROBLEMS = {
  "no-backup": "that folder holds no backup that is whole",
  "other-database": "it was taken of the other kind of database: see DATABASE_URL",
  "in-use": "the database is in use: stop the server, and what else has it open, first",
};

const [folder] = process.argv.slice(2);
if (folder === undefined) leave("Usage: npm run restore -- FOLDER");
const { DATA_DIR: dataDir, DATABASE_URL: url } = settings();
const trouble = "Restored from a backup: whom it reached after that was taken is not known here.";
const outcome = await restoreBackup(
  { dataDir, url, environment: process.env },
  { folder, trouble, now: Date.now() },
).catch((error: unknown) =>
  leave(`The restore failed. ${error instanceof Error ? error.message : String(error)}`),
);
if (!outcome.ok) {
  const problem = outcome.error === "damaged" ? `it is damaged: ${outcome.detail}` : PROBLEMS[outcome.error];
  leave(`Nothing was restored: ${problem}.`);
}
const { manifest, kept, paused } = outcome;
console.info(
  `Restored what was there at ${new Date(manifest.at).toISOString()}. What it replaced is in ${kept}.`,
);
if (paused > 0)
  console.info(`Paused, for somebody to look at: ${paused} sends and notifications that were under way.`);
