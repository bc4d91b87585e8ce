/** SQLite: locked, full, or a file that cannot be used. A wrong statement or constraint is an error of ours. */
const SQLITE = /^SQLITE_(?:BUSY|FULL|IOERR|CANTOPEN|READONLY)/;
/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57 (operator intervention), 55000, with which a database
 * refuses connections, and 25006, a write to a server that became read-only (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const POSTGRES = /^(?:08|53|57)[0-9A-Z]{3}$|^55000$|^25006$/;
const NETWORK = /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
/**
 * Lost and missing connections that have no code: of the driver, its pool, and app/db (connect-postgres.server.ts and
 * connection-slots.ts). "Not queryable" is how the driver refuses the rollback, whose error a transaction throws when its
 * connection is lost.
 */
const LOST =
  /^Connection terminated|^Client .* is not queryable$|^timeout exceeded when trying to connect|^PostgreSQL does not answer|^No database connection was free/;

/** Returns whether an error says that the database is away for now, and not that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return SQLITE.test(code) || POSTGRES.test(code) || NETWORK.test(code) || LOST.test(error.message);
}
