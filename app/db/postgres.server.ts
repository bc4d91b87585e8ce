import { sql, type Kysely } from "kysely";
import pg from "pg";
import { seconds } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";
import { within } from "~/lib/within";
import {
  connectPostgres,
  isTooManyConnections,
  PostgresConnections,
  type PostgresDeps,
} from "./connect-postgres.server";
import { isDiskFull } from "./database-problem.server";
import { writeProbe, type Database, type DatabaseOptions } from "./database.server";
import { migrate } from "./migrate.server";
import type { Tables } from "./tables";
import { UnusableDatabaseError } from "./unusable-database";

const INT8 = 20;
const NUMERIC = 1700;
/** Concurrent connections by default; further queries wait for one. */
const CONNECTIONS = 12;
/** Connections of an instance beside those of the pool: the readiness probe's. */
export const EXTRA_CONNECTIONS = 1;
/** Far above what any statement needs; a second later the connection counts as silent, within the 10 s of R34. */
const STATEMENT_TIMEOUT_MS = seconds(8);
const PROBE_TIMEOUT_MS = seconds(2);
/** Time the probe waits for a connection that serves visitors; /readyz answers within a second. */
const SHARED_PROBE_MS = 600;
/** Locks of a transaction whose connection fell silent are held until the server ends it. */
const IDLE_IN_TRANSACTION_MS = seconds(5);
const SETTINGS = {
  // Compiling a query took up to 200 ms at a million rows, whose estimates are far off; running it took 10 ms.
  jit: "off",
  // By default, the server keeps its end of a silent connection occupied for two hours.
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};
/**
 * serialization_failure, deadlock_detected, unique_violation: the transaction can simply run again. The last may be by a row
 * that another transaction added after this one had looked for it; then the next run finds it.
 */
const CONFLICTS = new Set(["40001", "40P01", "23505"]);
const MAX_CONFLICT_ATTEMPTS = 5;
const INSUFFICIENT_PRIVILEGE = "42501";

/** Opens PostgreSQL, which several instances may share. Counts and epoch milliseconds arrive as numbers. */
export async function openPostgres(
  options: Omit<DatabaseOptions, "dataDir"> & { url: string },
): Promise<Database> {
  const { url, onError, statementTimeoutMs = STATEMENT_TIMEOUT_MS, connections: max = CONNECTIONS } = options;
  // Shared: what one pool finds lost, all discard.
  const connections = new PostgresConnections();
  const connect = (config: pg.PoolConfig, deps: Partial<PostgresDeps>) =>
    connectPostgres(
      {
        connectionString: url,
        connectionTimeoutMillis: seconds(5),
        types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
        ...config,
      },
      { onError, connections, ...deps, settings: { ...SETTINGS, ...deps.settings } },
    );
  // No time limit: changing a large table takes long, and so does waiting for the instance that does it.
  const migrationPool = connect({ max: 1 }, { settings: { statement_timeout: 0 } });
  try {
    await assertUsable(migrationPool, url);
    await migrate(migrationPool);
  } finally {
    await migrationPool.destroy();
  }
  const limits = { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS };
  const db = connect({ max }, { settings: { ...limits, statement_timeout: statementTimeoutMs } });
  // A pool of its own: whether the database works must not depend on the queue of other queries.
  const probePool = connect(
    { max: EXTRA_CONNECTIONS, connectionTimeoutMillis: PROBE_TIMEOUT_MS },
    { settings: { ...limits, statement_timeout: PROBE_TIMEOUT_MS }, waitsForFreeConnection: false },
  );

  let hasFailed = false;
  let wasFull = false;
  /** Fails while the disk is full, which `writeProbe` may not notice: its row has room in its page. */
  async function probeSpace(): Promise<void> {
    const table = sql`
      create temporary table space_probe on commit drop as select md5(n::text) from generate_series(1, 2000) as n
    `;
    try {
      await probePool.transaction().execute((trx) => table.execute(trx));
    } catch (error) {
      // A role that may not create one cannot find out.
      if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    }
    wasFull = false;
  }
  async function probeOnce(): Promise<void> {
    try {
      await probePool.transaction().execute(writeProbe);
    } catch (error) {
      if (!isTooManyConnections(error)) throw error;
      // The server has no connection left for the probe: those that serve visitors may still work.
      const probing = db.transaction().execute(writeProbe);
      const isWritten = await within(
        SHARED_PROBE_MS,
        probing.then(() => true),
      );
      if (!isWritten) throw error;
    }
  }

  return {
    dialect: "postgres",
    read: db,
    longRead: db,
    write: async (work) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          wasFull ||= isDiskFull(error);
          if (tries === MAX_CONFLICT_ATTEMPTS || !isConflict(error)) throw error;
        }
      }
    },
    probe: async () => {
      try {
        await probeOnce();
        if (wasFull) await probeSpace();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      // Connections made meanwhile may lead to a server that takes no writes.
      if (hasFailed) connections.discardAll("PostgreSQL is available again");
      hasFailed = false;
    },
    close: async () => {
      await Promise.all([db.destroy(), probePool.destroy()]);
    },
  };
}

/**
 * Checks, before anything is changed, that the database can be reached and holds every character (hardening R46).
 * @throws UnusableDatabaseError
 */
async function assertUsable(db: Kysely<Tables>, url: string): Promise<void> {
  const encoding = await getServerEncoding(db).catch((error: unknown) => {
    throw new UnusableDatabaseError(`DATABASE_URL: ${describeFailure(url, error)}`, { cause: error });
  });
  const problem = findEncodingProblem(encoding);
  if (problem) throw new UnusableDatabaseError(`DATABASE_URL: ${problem}`);
}

/** Returns PostgreSQL's name of the database's encoding. */
export async function getServerEncoding(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  return rows[0]?.server_encoding ?? "";
}

/** Returns why a database with this encoding must not be used; undefined for UTF8. */
export function findEncodingProblem(encoding: string): string | undefined {
  if (encoding === "UTF8") return undefined;
  return (
    `the database has the encoding ${encoding}, which lacks the letters of many visitors' names: ` +
    "create it with createdb --encoding=UTF8 --template=template0."
  );
}

/** Says which server failed, without login and password. */
function describeFailure(url: string, error: unknown): string {
  const { hostname, port, pathname } = new URL(url);
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const place = `${hostname || "localhost"}:${port || 5432}${pathname}`;
  return `PostgreSQL at ${place} cannot be used: ${getErrorMessage(first)}. Start it, or correct the variable.`;
}

function getTypeParser(oid: number, format?: "text") {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? "");
}
