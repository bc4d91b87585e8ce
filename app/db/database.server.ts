import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables";

export type Read = Kysely<Tables>;
export type Write = Transaction<Tables>;

/**
 * Single access to the data, the same for both databases.
 *
 * - `read` is for short queries; on SQLite it is a read-only connection, so a write through it throws, and a query
 *   blocks the event loop.
 * - `longRead` is for queries that take over 10 ms at a million rows: on SQLite they run in a thread of their own.
 *   In the thread of imports both are the connection that writes (`openSqliteAgain`).
 * - `write` runs `work` in a transaction and resolves after the commit is on disk. Inside it use only the
 *   transaction it hands over: neither `read` nor the network. It may run again after a conflict, so it has no
 *   other effects. Row locks (`forUpdate`) have an effect on PostgreSQL only, where writes run side by side.
 */
export interface Database {
  readonly dialect: "sqlite" | "postgres";
  readonly read: Read;
  readonly longRead: Read;
  write<T>(work: (transaction: Write) => Promise<T>): Promise<T>;
  /** Writes a row; throws when the database is unavailable, locked or full. For /readyz. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres://...; undefined means SQLite. */
  url?: string | undefined;
  /** DATA_DIR: the folder of the SQLite file, and of the marker of an interrupted restore. */
  dataDir: string;
  /** Receives lost connections; their current query fails by itself. */
  onError: (error: Error) => void;
  /** Time limit of a PostgreSQL statement, 8 s by default; 0 is no limit, for filling a database. */
  statementTimeoutMs?: number;
  /** Most concurrent connections to PostgreSQL, 12 by default; the readiness probe has one more. */
  connections?: number;
  /** Runs a write, and once more after a full disk if it could free some space. For SQLite, whose file is on this disk. */
  retryWhenFull?: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Writes a row of the rate limits: an empty transaction would succeed on a full disk (hardening R6, R31). */
export async function writeProbe(trx: Write): Promise<void> {
  const resets_at = Date.now();
  await trx
    .insertInto("attempts")
    .values({ key: "probe", count: 0, resets_at })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ resets_at }))
    .execute();
}
