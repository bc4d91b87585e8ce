import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/**
 * A pool whose queries are given their callback from the beginning. pg's own promise hangs it onto the query afterwards, and
 * then what was read outlives its use by far (decision 53). Cursors are not for it.
 */
export function callbackPool(pool: pg.Pool): PostgresPool {
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
