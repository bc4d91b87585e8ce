import { resolve } from "node:path";
import { fail, getErrorMessage, readSettings } from "./command.ts";

/** npm run restore -- FOLDER: replaces all data by a backup (docs/operations.md). The server must be stopped. */
const { restoreBackup } = await import("../app/services/backups/restore-backup.server.ts");
const { refuseInterruptedRestore } = await import("../app/db/interrupted-restore.server.ts");

const PROBLEMS = {
  "no-backup": "that folder holds no backup that is whole",
  damaged: "it is damaged",
  "other-database": "it was taken of the other kind of database: see DATABASE_URL",
  newer: "it was taken by a later version of this program: restore it with that one",
  "no-space": "there is too little space in DATA_DIR",
  "in-use": "the database is in use: stop the server, and what else has it open, first",
  "going-on": "another restore is going on",
};

const [folder] = process.argv.slice(2);
if (folder === undefined) fail("Usage: npm run restore -- FOLDER");
const { DATA_DIR: dataDir, DATABASE_URL: url } = readSettings();
const problem = "Restored from a backup: whom it reached after that was taken is not known here.";
const outcome = await restoreBackup(
  { dataDir, url, environment: process.env },
  { folder, problem, now: Date.now() },
).catch(async (error: unknown) => {
  const reason = `The restore failed. ${getErrorMessage(error)}`;
  const left = await refuseInterruptedRestore({ dataDir, url }).then(
    () => "Nothing was changed.",
    getErrorMessage,
  );
  return fail(`${reason}\n${left}`);
});
if (!outcome.ok) {
  const detail = outcome.detail === undefined ? "" : `: ${outcome.detail}`;
  fail(`Nothing was restored: ${PROBLEMS[outcome.error]}${detail}.`);
}
const { takenAt, kept, keptSchema, paused } = outcome;
const tables = keptSchema === undefined ? "" : `, its tables in the schema ${keptSchema}`;
console.info(`Restored what was there at ${new Date(takenAt).toISOString()}, from ${outcome.folder}.`);
console.info(`What it replaced is in ${kept}${tables}.`);
if (paused > 0)
  console.info(`Paused, for somebody to look at: ${paused} sends and notifications that were under way.`);
if (outcome.folder !== resolve(folder))
  fail(`That restore had been interrupted, and is finished now. Nothing was restored from ${folder}.`);
