import { Kysely, PostgresDialect } from "kysely";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { seconds } from "~/lib/durations";
import type { Tables } from "./tables";

/** How long a cancellation by the server's own `statement_timeout` may take to get here. */
const CANCELLATION_MS = seconds(1);

export interface PostgresDeps {
  /** Told of a lost connection; a query it was busy with fails by itself. Nobody told, it would end the process. */
  onError: (error: Error) => void;
  /** Connections at rest. Pools that share the set discard each other's when one connection falls silent. */
  idle?: Set<pg.PoolClient>;
}

/**
 * Queries over a pool of connections to PostgreSQL, the first of which opens one.
 *
 * The server cancels a statement after `statement_timeout`. A second later the connection counts as silent: it is destroyed,
 * its query fails, and idle connections are discarded with it, because what swallowed one flow has swallowed the others too
 * (hardening R34). With a `statement_timeout` of 0 nothing but TCP keep-alive notices.
 *
 * @param config of the pool: where, how many, how long.
 */
export function connectPostgres(config: pg.PoolConfig, deps: PostgresDeps): Kysely<Tables> {
  const { onError, idle = new Set() } = deps;
  const pool = new pg.Pool({ keepAlive: true, keepAliveInitialDelayMillis: seconds(5), ...config });
  // The pool hears of idle connections, the client of one in use or on its way out.
  pool.on("error", onError);
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      if (!idle.has(client)) onError(error);
    });
  });
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  const discardSilent = (client: pg.PoolClient) => {
    for (const each of [client, ...idle]) {
      each.connection.stream.destroy(new Error("PostgreSQL does not answer on this connection"));
    }
  };
  const limitMs = config.statement_timeout ? config.statement_timeout + CANCELLATION_MS : undefined;
  return new Kysely({
    dialect: new PostgresDialect({ pool: callbackPool(pool, { limitMs, discardSilent }) }),
  });
}

interface QueryLimit {
  /** Undefined: none. */
  limitMs: number | undefined;
  /** Destroys a connection whose query has had no result for so long. */
  discardSilent: (client: pg.PoolClient) => void;
}

/**
 * A pool whose queries are given their callback from the beginning. pg's own promise hangs it onto the query afterwards, and
 * then what was read outlives its use by far: a copy of a million rows takes 90 MiB more. Cursors are not for it.
 */
function callbackPool(pool: pg.Pool, limit: QueryLimit): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      return { query: queryOf(client, limit), release: (destroy) => client.release(destroy) };
    },
    end: () => pool.end(),
  };
}

/** pg's own `query_timeout` is not used: it fails the query, but gives the silent connection back to the pool. */
function queryOf(client: pg.PoolClient, { limitMs, discardSilent }: QueryLimit): PostgresPoolClient["query"] {
  const query = (sql: string, parameters: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const timer = limitMs === undefined ? undefined : setTimeout(discardSilent, limitMs, client);
      client.query(sql, parameters.map(storable), (error: Error | undefined, result) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    });
  return query as PostgresPoolClient["query"];
}

/**
 * PostgreSQL refuses a NUL in text, and a request that brought one would fail with 500. Here every text from outside passes:
 * as half of a surrogate pair does, a NUL becomes the replacement character, which finds nothing (hardening R37).
 */
function storable(parameter: unknown): unknown {
  return typeof parameter === "string" ? parameter.replaceAll("\0", "\ufffd") : parameter;
}
