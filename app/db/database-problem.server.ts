import SqliteFile from "better-sqlite3";
import pg from "pg";
import { ReplacedDatabaseError } from "./sqlite-file-identity.server";

/** Codes for why the database accepts no write; /readyz and the back office show them. */
export const databaseProblems = [
  "database-unreachable",
  "database-connections",
  "database-read-only",
  "database-full",
  "database-locked",
  "database-file-replaced",
  "database-failed",
] as const;
export type DatabaseProblem = (typeof databaseProblems)[number];

/** The first part of SQLite's result codes (https://sqlite.org/rescode.html). */
const SQLITE_PROBLEMS: readonly (readonly [start: string, DatabaseProblem])[] = [
  ["SQLITE_BUSY", "database-locked"],
  ["SQLITE_READONLY", "database-read-only"],
];
/** PostgreSQL's error codes, or their class (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const POSTGRES_PROBLEMS: readonly (readonly [start: string, DatabaseProblem])[] = [
  ["25006", "database-read-only"],
  ["53100", "database-full"],
  ["53300", "database-connections"],
  // It refuses the connection: its login, the database, while it starts or ends.
  ["08", "database-unreachable"],
  ["28", "database-unreachable"],
  ["3D", "database-unreachable"],
  ["55000", "database-unreachable"],
  ["57P", "database-unreachable"],
];

/** Says what an error of a write to the database is about. */
export function getDatabaseProblem(error: unknown): DatabaseProblem {
  if (error instanceof ReplacedDatabaseError) return "database-file-replaced";
  if (isDiskFull(error)) return "database-full";
  const isSqlite = error instanceof SqliteFile.SqliteError;
  const isPostgres = error instanceof pg.DatabaseError;
  // The connection failed before PostgreSQL could say anything.
  if (!isSqlite && !isPostgres) return "database-unreachable";
  const known = isSqlite ? SQLITE_PROBLEMS : POSTGRES_PROBLEMS;
  return known.find(([start]) => error.code?.startsWith(start))?.[1] ?? "database-failed";
}

/** SQLite's codes for a full disk: of the database or its log, and of the index of the log. */
const DISK_FULL = new Set(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT", "53100"]);

/** Returns whether a write failed because a disk is full, whether SQLite's, PostgreSQL's, or that of another file. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && DISK_FULL.has(String(error.code));
}
