import { decimal, grouped } from "~/lib/format-number";
import { bytesToMegabytes, mebibytes } from "~/lib/sizes";
import type { DeployCheck, DeployFacts } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";
import { findSqlitePlaceProblem } from "~/db/sqlite-place";

/** The disk space of log lines, relative to their text (docs/operations.md). */
const DISK_OF_TEXT = 4 / 3;
/** File systems that are lost with the container, or at the machine's next start. */
const PASSING = /^(?:overlay|aufs|tmpfs|ramfs)$/;
const OWN_MACHINE = /^(?:|localhost|127(?:\.\d+){3}|\[::1\])$/;

const isSqlite = ({ settings }: DeployFacts) => settings.DATABASE_URL === undefined;

/** Checks of the database and the data folder. */
export const dataChecks: readonly DeployCheck[] = [
  {
    id: "database-answers",
    severity: "error",
    check: ({ database, dataFolder }) => {
      if (database.kind === "away") return trouble(`The database cannot be opened: ${database.trouble}`);
      return database.kind === "none"
        ? notApplicable(`There is none yet (DATA_DIR is ${dataFolder.path}): the first start makes it.`)
        : ok("The database answers.");
    },
  },
  {
    id: "database-writable",
    severity: "error",
    check: ({ database }) => {
      if (database.kind !== "there") return notApplicable("There is no database that answers.");
      return database.writeTrouble === undefined
        ? ok("The database takes writes.")
        : trouble(`The database takes no writes: ${database.writeTrouble}`);
    },
  },
  {
    id: "database-version",
    severity: "error",
    check: ({ database }) => {
      if (database.kind !== "there") return notApplicable("There is no database that answers.");
      const newer = database.applied.filter((name) => !database.known.includes(name));
      return newer.length === 0
        ? ok("This build knows all that is in the database.")
        : trouble(
            `The database is of a later version (${newer.at(-1)}): run that build, or restore a backup.`,
          );
    },
  },
  {
    id: "migrations",
    severity: "warning",
    check: ({ database }) => {
      if (database.kind !== "there") return notApplicable("There is no database that answers.");
      const waiting = database.known.filter((name) => !database.applied.includes(name));
      return waiting.length === 0
        ? ok("The database is up to date.")
        : trouble(`The next start brings the database up to ${waiting.at(-1)}: take a backup first.`);
    },
  },
  {
    id: "database-disk",
    severity: "error",
    check: (facts) => {
      const { fileSystem, path } = facts.dataFolder;
      if (!isSqlite(facts)) return notApplicable("The database is PostgreSQL's.");
      if (fileSystem === undefined)
        return notApplicable("This system does not tell which file system it is.");
      const problem = findSqlitePlaceProblem(path, fileSystem);
      return problem ? trouble(problem) : ok(`DATA_DIR lies on ${fileSystem}, of this machine.`);
    },
  },
  {
    id: "data-lasts",
    severity: "error",
    check: (facts) => {
      const { fileSystem, path } = facts.dataFolder;
      if (!isSqlite(facts)) return notApplicable("The database is PostgreSQL's.");
      return PASSING.test(fileSystem ?? "")
        ? trouble(
            `${path} lies on ${fileSystem} and goes with the container or the next start: mount a volume there.`,
          )
        : ok("DATA_DIR outlives a restart.");
    },
  },
  {
    id: "file-modes",
    severity: "error",
    check: ({ dataFolder: { openToOthers } }) => {
      if (openToOthers === undefined) return notApplicable("A network file system is not looked into.");
      const [first] = openToOthers;
      if (!first) return ok("What is in DATA_DIR is its owner's alone.");
      const more = openToOthers.length > 1 ? ` and ${openToOthers.length - 1} more` : "";
      return trouble(
        `Others may open ${first.path}, mode ${first.mode.toString(8)}${more}: chmod 600 files, 700 folders.`,
      );
    },
  },
  {
    id: "disk-space",
    severity: "error",
    check: ({ dataFolder: { free, path }, settings: { MIN_FREE_DISK_MB: minimum } }) => {
      if (free === undefined) return notApplicable("The free space is not told.");
      const megabytes = decimal(bytesToMegabytes(free), 0);
      return free < mebibytes(minimum)
        ? trouble(
            `Only ${megabytes} MB are free in ${path}: below ${minimum} the server is not ready. Make room.`,
          )
        : ok(`${megabytes} MB are free in DATA_DIR.`);
    },
  },
  {
    id: "log-room",
    severity: "warning",
    check: (facts) => {
      const { free } = facts.dataFolder;
      const { LOG_KEEP_MB, MIN_FREE_DISK_MB } = facts.settings;
      if (!isSqlite(facts)) return notApplicable("The log is PostgreSQL's to keep.");
      if (free === undefined) return notApplicable("The free space is not told.");
      const wanted = Math.ceil(LOG_KEEP_MB * DISK_OF_TEXT) + MIN_FREE_DISK_MB;
      return free < mebibytes(wanted)
        ? trouble(
            `The log may grow by ${grouped(wanted)} MB, and less is free: lower LOG_KEEP_MB or make room.`,
          )
        : ok(`There is room for a log of ${grouped(LOG_KEEP_MB)} MB.`);
    },
  },
  {
    id: "one-instance",
    severity: "error",
    check: (facts) => {
      if (!isSqlite(facts)) return notApplicable("Several instances may share PostgreSQL.");
      if (facts.database.kind !== "there") return notApplicable("There is no database that answers.");
      const { instances } = facts.database;
      return instances.length > 1
        ? trouble(`${instances.join(" and ")} share one SQLite file: run one of them, or set DATABASE_URL.`)
        : ok("One instance at most writes to SQLite.");
    },
  },
  {
    id: "database-tls",
    severity: "warning",
    check: ({ settings: { DATABASE_URL } }) => {
      if (DATABASE_URL === undefined) return notApplicable("The database is SQLite's.");
      const { hostname, searchParams } = new URL(DATABASE_URL);
      if (OWN_MACHINE.test(hostname)) return ok("The database is on this machine.");
      return /^(?:require|verify-ca|verify-full)$/.test(searchParams.get("sslmode") ?? "")
        ? ok("The database is spoken to over TLS.")
        : trouble(
            "DATABASE_URL leads to another machine in plain text: add ?sslmode=verify-full, unless that network is yours alone.",
          );
    },
  },
];
