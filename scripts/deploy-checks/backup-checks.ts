import { relativeTime } from "~/lib/format-time";
import { days } from "~/lib/durations";
import type { DeployCheck } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";

/** The maximum age of the newest backup: with one every night, one may be missed. */
const OLDEST = days(2);

/** Checks of the backups, which survive the loss of the disk. */
export const backupChecks: readonly DeployCheck[] = [
  {
    id: "backup-age",
    severity: "warning",
    check: ({ backups: { folder, newestAt }, database, now }) => {
      if (database.kind !== "there") return notApplicable("There is nothing to keep yet.");
      if (newestAt === undefined) {
        return trouble(
          `There is no backup in ${folder}: run npm run backup every night, or name the folder, npm run check:deploy -- FOLDER.`,
        );
      }
      const age = relativeTime(newestAt, now);
      return now - newestAt > OLDEST
        ? trouble(`The newest backup in ${folder} was taken ${age}: let npm run backup run every night.`)
        : ok(`The newest backup was taken ${age}.`);
    },
  },
  {
    id: "backup-disk",
    severity: "warning",
    check: ({ backups: { folder, newestAt, isOnSameDisk } }) => {
      if (newestAt === undefined || isOnSameDisk === undefined) return notApplicable("There is no backup.");
      return isOnSameDisk
        ? trouble(`${folder} is on the disk of DATA_DIR and is lost with it: copy backups elsewhere.`)
        : ok("Backups are on another disk than the data.");
    },
  },
  {
    id: "backup-tools",
    severity: "warning",
    check: ({ settings: { DATABASE_URL }, backups: { hasTools } }) => {
      if (DATABASE_URL === undefined) return notApplicable("SQLite needs no program for a backup.");
      return hasTools
        ? ok("pg_dump is here.")
        : trouble("pg_dump is not here, so no backup can be taken: install PostgreSQL's client programs.");
    },
  },
];
