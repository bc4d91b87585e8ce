import { EXTRA_CONNECTIONS } from "~/db/postgres.server";
import { days } from "~/lib/durations";
import { decimal, grouped } from "~/lib/format-number";
import { relativeTime } from "~/lib/format-time";
import { bytesToMegabytes, mebibytes } from "~/lib/sizes";
import type { QuickFacts } from "./quick-facts.server";
import {
  notApplicable,
  ok,
  problem,
  warningCheck,
  slowErrorCheck,
  slowWarningCheck,
  type SetupCheck,
} from "./setup-check";

/** The disk space of log lines, relative to their text (docs/operations.md). */
const DISK_OF_TEXT = 4 / 3;
/** File systems that are lost with the container, or at the machine's next start. */
const EPHEMERAL = /^(?:overlay|aufs|tmpfs|ramfs)$/;
/** The maximum age of the newest backup: with one every night, one may be missed. */
const MAX_BACKUP_AGE_MS = days(2);
/** Hosts of this machine; a path is that of a socket. */
const OWN_MACHINE = /^(?:|localhost|127(?:\.\d+){3}|\[?::1\]?|(?:\/|%2f).*)$/i;

const isSqlite = ({ settings }: QuickFacts) => settings.DATABASE_URL === undefined;

/** Returns whether node-postgres connects over TLS and verifies the certificate, by the parameters of its URL. */
function verifiesTls(parameters: URLSearchParams): boolean {
  const mode = parameters.get("sslmode") ?? "";
  if (parameters.get("uselibpqcompat") === "true") return /^verify-(?:ca|full)$/.test(mode);
  if (mode === "disable" || mode === "no-verify") return false;
  const isOn = /^(?:true|1)$/.test(parameters.get("ssl") ?? "");
  return isOn || ["sslmode", "sslcert", "sslkey", "sslrootcert"].some((name) => parameters.get(name));
}

/** Checks of the database, the data folder, and the backups, which survive the loss of the disk. */
export const dataChecks: readonly SetupCheck[] = [
  slowErrorCheck("database-answers", ["DATABASE_URL", "DATA_DIR"], ({ database, dataFolder }) => {
    if (database.kind === "unreachable") return problem(`The database cannot be used: ${database.problem}`);
    return database.kind === "none"
      ? notApplicable(
          `There is no database yet (DATA_DIR is ${dataFolder.path}): the first start creates it.`,
        )
      : ok("The database answers.");
  }),
  slowErrorCheck("database-writable", ["DATABASE_URL", "DATA_DIR"], ({ database }) => {
    if (database.kind !== "present") return notApplicable("No database answers.");
    return database.writeProblem === undefined
      ? ok("The database accepts writes.")
      : problem(`The database rejects writes: ${database.writeProblem}`);
  }),
  slowWarningCheck("migrations", [], ({ database }) => {
    if (database.kind !== "present") return notApplicable("No database answers.");
    const waiting = database.known.filter((name) => !database.applied.includes(name));
    return waiting.length === 0
      ? ok("The database is up to date.")
      : problem(`The next start migrates the database to ${waiting.at(-1)}: take a backup first.`);
  }),
  slowErrorCheck("data-lasts", ["DATA_DIR"], (facts) => {
    const { fileSystem, path } = facts.dataFolder;
    if (!isSqlite(facts)) return notApplicable("The database is PostgreSQL.");
    if (fileSystem === undefined) return notApplicable("The file system is unknown.");
    return EPHEMERAL.test(fileSystem)
      ? problem(
          `${path} is on ${fileSystem} and is lost with the container or at the next start: mount a volume there.`,
        )
      : ok("DATA_DIR survives a restart.");
  }),
  slowErrorCheck("file-modes", [], ({ dataFolder: { openToOthers } }) => {
    if (openToOthers === undefined) return notApplicable("Files on a network file system are not checked.");
    const [first] = openToOthers;
    if (!first) return ok("Only the owner can open the files in DATA_DIR.");
    const more = openToOthers.length > 1 ? ` and ${openToOthers.length - 1} more` : "";
    return problem(
      `Others can open ${first.path} (mode ${first.mode.toString(8)})${more}: chmod 600 files and 700 folders.`,
    );
  }),
  slowErrorCheck(
    "disk-space",
    ["MIN_FREE_DISK_MB"],
    ({ dataFolder: { free, path }, settings: { MIN_FREE_DISK_MB: minimum } }) => {
      if (free === undefined) return notApplicable("The free space is unknown.");
      const megabytes = decimal(bytesToMegabytes(free), 0);
      return free < mebibytes(minimum)
        ? problem(
            `Only ${megabytes} MB are free in ${path}, and below ${minimum} the server is not ready: free some space.`,
          )
        : ok(`${megabytes} MB are free in DATA_DIR.`);
    },
  ),
  slowWarningCheck("log-room", ["LOG_KEEP_MB"], (facts) => {
    const { free } = facts.dataFolder;
    const { LOG_KEEP_MB, MIN_FREE_DISK_MB } = facts.settings;
    if (!isSqlite(facts)) return notApplicable("The log is stored in PostgreSQL.");
    if (free === undefined) return notApplicable("The free space is unknown.");
    const logBytes = facts.database.kind === "present" ? facts.database.logBytes : 0;
    const growth = Math.max(0, mebibytes(LOG_KEEP_MB) - logBytes) * DISK_OF_TEXT;
    return free < growth + mebibytes(MIN_FREE_DISK_MB)
      ? problem(
          `The log may grow by ${decimal(bytesToMegabytes(growth), 0)} MB, which leaves less than MIN_FREE_DISK_MB free: lower LOG_KEEP_MB or free some space.`,
        )
      : ok(`There is room for a log of ${grouped(LOG_KEEP_MB)} MB.`);
  }),
  slowErrorCheck("one-instance", ["DATABASE_URL", "PORT"], (facts) => {
    if (facts.database.kind !== "present") return notApplicable("No database answers.");
    const { instances, sharedNames } = facts.database;
    if (sharedNames.length > 0) {
      return problem(
        `Two processes run under the name ${sharedNames.join(" and ")}: stop one, or on PostgreSQL give each its own host name or PORT.`,
      );
    }
    if (!isSqlite(facts)) return notApplicable("Several instances may share PostgreSQL.");
    return instances.length > 1
      ? problem(
          `${instances.join(" and ")} share one SQLite file: run only one of them, or set DATABASE_URL.`,
        )
      : ok("At most one instance writes to SQLite.");
  }),
  slowWarningCheck(
    "database-connections",
    ["DATABASE_POOL"],
    ({ database, settings: { DATABASE_POOL, DATABASE_URL } }) => {
      if (DATABASE_URL === undefined) return notApplicable("The database is SQLite.");
      if (database.kind !== "present" || !database.connectionLimit)
        return notApplicable("No database answers.");
      const { allowed, setBy } = database.connectionLimit;
      const instances = Math.max(1, database.instances.length);
      const who = instances === 1 ? "One instance" : `${instances} instances`;
      const needed = instances * (DATABASE_POOL + EXTRA_CONNECTIONS);
      const sentence = `${who} with DATABASE_POOL=${DATABASE_POOL} may use ${needed} connections, and ${setBy} allows ${allowed}`;
      return needed > allowed
        ? problem(`${sentence}: lower the one or raise the other.`)
        : ok(`${sentence}.`);
    },
  ),
  slowWarningCheck("search-parts", ["DATABASE_URL"], ({ database, settings: { DATABASE_URL } }) => {
    if (DATABASE_URL === undefined) return notApplicable("The database is SQLite.");
    if (database.kind !== "present") return notApplicable("No database answers.");
    if (database.findsParts === undefined) return notApplicable("The next start prepares the search.");
    return database.findsParts
      ? ok("The search finds any part of an address or a company.")
      : problem(
          "The search finds only the start of words, because pg_trgm could not be created: docs/operations.md says how to add it.",
        );
  }),
  warningCheck("database-tls", ["DATABASE_URL"], ({ settings: { DATABASE_URL } }) => {
    if (DATABASE_URL === undefined) return notApplicable("The database is SQLite.");
    const { hostname, searchParams } = new URL(DATABASE_URL);
    const host = searchParams.get("host") || hostname;
    if (OWN_MACHINE.test(host)) return ok("The database is on this machine.");
    return verifiesTls(searchParams)
      ? ok("The connection to the database uses TLS.")
      : problem(
          "DATABASE_URL leads to another machine without verified TLS: use ?sslmode=verify-full, unless that network is private.",
        );
  }),
  warningCheck("backup-age", [], ({ backups: { folder, newestAt }, hasDatabase, now }) => {
    if (newestAt === undefined) {
      if (!hasDatabase) return notApplicable("There is nothing to back up yet.");
      return problem(
        `There is no backup in ${folder}: run npm run backup every night, or name its folder: npm run check:deploy -- FOLDER.`,
      );
    }
    const age = relativeTime(newestAt, now);
    return now - newestAt > MAX_BACKUP_AGE_MS
      ? problem(`The newest backup in ${folder} was taken ${age}: run npm run backup every night.`)
      : ok(`The newest backup was taken ${age}.`);
  }),
  warningCheck("backup-disk", [], (facts) => {
    const { folder, newestAt, isOnSameDisk } = facts.backups;
    if (!isSqlite(facts)) return notApplicable("The disk of PostgreSQL is unknown.");
    if (newestAt === undefined) return notApplicable("There is no backup.");
    if (isOnSameDisk === undefined) return notApplicable("The folder of the backups is out of reach.");
    return isOnSameDisk
      ? problem(
          `${folder} is on the same disk as DATA_DIR and would be lost with it: copy backups elsewhere.`,
        )
      : ok("Backups are on a different disk than the data.");
  }),
  slowWarningCheck("backup-tools", [], ({ settings: { DATABASE_URL }, backups: { hasTools } }) => {
    if (DATABASE_URL === undefined) return notApplicable("SQLite needs no backup program.");
    return hasTools
      ? ok("pg_dump is installed.")
      : problem("pg_dump is not installed, so no backup can be taken: install PostgreSQL's client programs.");
  }),
];
