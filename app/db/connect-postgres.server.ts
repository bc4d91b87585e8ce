import { Kysely, PostgresDialect } from "kysely";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Tables } from "./tables";

/**
 * Queries over a pool of connections to PostgreSQL, the first of which opens one.
 *
 * @param config of the pool: where, how many, how long.
 * @param onError told of a lost connection; a query it was busy with fails by itself. Nobody told, it would end the process.
 */
export function connectPostgres(config: pg.PoolConfig, onError: (error: Error) => void): Kysely<Tables> {
  const pool = new pg.Pool(config);
  // The pool hears of idle connections, the client of one in use or on its way out.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return new Kysely({ dialect: new PostgresDialect({ pool: callbackPool(pool) }) });
}

/**
 * A pool whose queries are given their callback from the beginning. pg's own promise hangs it onto the query afterwards, and
 * then what was read outlives its use by far (decision 53). Cursors are not for it.
 */
function callbackPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      return { query: queryOf(client), release: (destroy) => client.release(destroy) };
    },
    end: () => pool.end(),
  };
}

function queryOf(client: pg.PoolClient): PostgresPoolClient["query"] {
  const query = (sql: string, parameters: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      client.query(sql, [...parameters], (error: Error | undefined, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  return query as PostgresPoolClient["query"];
}
