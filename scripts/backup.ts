import packageJson from "../package.json" with { type: "json" };
import { getErrorMessage } from "../app/lib/error-message.ts";
import { fail, readSettings } from "./command.ts";

/** npm run backup [-- FOLDER]: copies all data while the server keeps running (docs/operations.md). */
const { takeBackup } = await import("../app/services/backups/backup.server.ts");

const [into = "backups"] = process.argv.slice(2);
const { DATA_DIR: dataDir, DATABASE_URL: url } = readSettings();
const began = performance.now();
const { folder, manifest } = await takeBackup(
  { dataDir, url, environment: process.env },
  { into, version: packageJson.version, clock: Date.now },
).catch((error: unknown) => fail(`No backup was taken. ${getErrorMessage(error)}`));
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.info(`${folder}: ${Object.keys(manifest.files).length} files, checked, in ${seconds} s.`);
