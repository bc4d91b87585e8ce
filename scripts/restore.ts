import { resolve } from "node:path";
import { getErrorMessage } from "../app/lib/error-message.ts";
import { fail, readSettings } from "./command.ts";

/** npm run restore -- FOLDER: replaces all data by a backup (docs/operations.md). The server must be stopped. */
const { restoreBackup } = await import("../app/services/backups/restore-backup.server.ts");
const { refuseInterruptedRestore } = await import("../app/db/interrupted-restore.server.ts");
const { visibleText } = await import("../app/lib/log-line.ts");

const PROBLEMS = {
  "no-backup": "that folder contains no complete backup",
  damaged: "it is damaged",
  "other-database": "it is a backup of the other kind of database: check DATABASE_URL",
  newer: "it was taken by a newer version of this program: restore it with that version",
  "no-space": "there is too little space in DATA_DIR",
  "in-use": "the database is in use: first stop the server, and everything else that has it open",
  "going-on": "another restore is running",
};

const [folder] = process.argv.slice(2);
if (folder === undefined) fail("Usage: npm run restore -- FOLDER");
const { DATA_DIR: dataDir, DATABASE_URL: url } = readSettings();
const problem = "Restored from a backup: who was reached after the backup is unknown.";
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
  // A name in a backup may hold characters that a terminal obeys.
  const detail = outcome.detail === undefined ? "" : `: ${visibleText(outcome.detail)}`;
  fail(`Nothing was restored: ${PROBLEMS[outcome.error]}${detail}.`);
}
const { takenAt, kept, keptSchema, paused, ended } = outcome;
const tables = keptSchema === undefined ? "" : `, its tables in the schema ${keptSchema}`;
console.info(`Restored the data of ${new Date(takenAt).toISOString()} from ${outcome.folder}.`);
console.info(`The replaced data is in ${kept}${tables}.`);
if (paused > 0)
  console.info(`Paused for review: ${paused} campaigns and notifications that were in progress.`);
if (ended > 0) console.info(`Stopped for review: ${ended} repeating waves. Confirm a new wave to repeat it.`);
if (outcome.folder !== resolve(folder))
  fail(`An interrupted restore was finished. Nothing was restored from ${folder}.`);
