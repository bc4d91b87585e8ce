import pg from "pg";
import { seconds } from "~/lib/durations";
import { connectPostgres } from "./connect-postgres.server";
import { writeProbe, type Database, type DatabaseOptions } from "./database.server";
import { migrate } from "./migrate.server";

const INT8 = 20;
const NUMERIC = 1700;
/** Concurrent connections; further queries wait for one. */
const CONNECTIONS = 12;
/** Far above what any statement needs; a second later the connection counts as silent, within the 10 s of R34. */
const STATEMENT_TIMEOUT_MS = seconds(8);
const PROBE_TIMEOUT_MS = seconds(2);
/** Locks of a transaction whose connection fell silent are held until the server ends it. */
const IDLE_IN_TRANSACTION_MS = seconds(5);
const SESSION_OPTIONS = [
  // Compiling a query took up to 200 ms at a million rows, whose estimates are far off; running it took 10 ms.
  "-c jit=off",
  // By default, the server keeps its end of a silent connection occupied for two hours.
  "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
].join(" ");
/** serialization_failure, deadlock_detected: the transaction can simply run again. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MAX_CONFLICT_ATTEMPTS = 5;

/** Opens PostgreSQL, which several instances may share. Counts and epoch milliseconds arrive as numbers. */
export async function openPostgres(
  options: Omit<DatabaseOptions, "dataDir"> & { url: string },
): Promise<Database> {
  const { url, onError, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  // Shared: connections that the probe finds silent are discarded in all pools.
  const idle = new Set<pg.PoolClient>();
  const connect = (limits: pg.PoolConfig) =>
    connectPostgres(
      {
        connectionString: url,
        connectionTimeoutMillis: seconds(5),
        options: SESSION_OPTIONS,
        types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
        ...limits,
      },
      { onError, idle },
    );
  const db = connect({
    max: CONNECTIONS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // A pool of its own: whether the database works must not depend on the queue of other queries.
  const probePool = connect({
    max: 1,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    statement_timeout: PROBE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // No time limit: changing a large table takes long, and so does waiting for the instance that does it.
  const migrationPool = connect({ max: 1 });
  await migrate(migrationPool).finally(() => migrationPool.destroy());

  return {
    dialect: "postgres",
    read: db,
    longRead: db,
    write: async (work) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          if (tries === MAX_CONFLICT_ATTEMPTS || !isConflict(error)) throw error;
        }
      }
    },
    probe: () => probePool.transaction().execute(writeProbe),
    close: async () => {
      await Promise.all([db.destroy(), probePool.destroy()]);
    },
  };
}

function getTypeParser(oid: number, format?: "text") {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? "");
}
