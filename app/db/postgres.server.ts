import pg from "pg";
import { seconds } from "~/lib/durations";
import { connectPostgres } from "./connect-postgres.server";
import type { Database } from "./database.server";
import { migrate } from "./migrate.server";
import { writeProbe } from "./probe.server";

const INT8 = 20;
const NUMERIC = 1700;
/** At once; whoever comes after waits for one. */
const CONNECTIONS = 12;
/** serialization_failure, deadlock_detected: the transaction may simply be run again. */
const CONFLICTS = new Set(["40001", "40P01"]);
const CONFLICT_TRIES = 5;

/** Opens PostgreSQL; several instances may share it. Counts and epoch milliseconds arrive as numbers. */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Database> {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: seconds(5),
    statement_timeout: seconds(30),
    // To compile a query took up to 200 ms at a million rows, whose estimates are far off, and to run it 10.
    options: "-c jit=off",
    types: {
      getTypeParser: ((oid: number, format?: "text") =>
        parserFor(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const open = (max: number, more: pg.PoolConfig = {}) =>
    connectPostgres({ ...settings, ...more, max }, onError);
  const db = open(CONNECTIONS);
  // Of its own: whether the database works is not whether those before in the queue are done.
  const probing = open(1);
  // No limit: a change of a large table takes its time, and so does waiting for the instance that makes it.
  const changing = open(1, { statement_timeout: 0 });
  await migrate(changing).finally(() => changing.destroy());

  return {
    dialect: "postgres",
    read: db,
    write: async (work) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          if (tries === CONFLICT_TRIES || !isConflict(error)) throw error;
        }
      }
    },
    probe: () => probing.transaction().execute(writeProbe),
    close: async () => {
      await Promise.all([db.destroy(), probing.destroy()]);
    },
  };
}

function parserFor(oid: number, format?: "text") {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? "");
}
