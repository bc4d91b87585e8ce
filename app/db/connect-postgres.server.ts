import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { seconds } from "~/lib/durations";
import type { Tables } from "./tables";

/** Time for a cancellation by the server's own `statement_timeout` to arrive here. */
const CANCELLATION_MS = seconds(1);

/**
 * Creates queries over a pool of connections to PostgreSQL, the first of which opens one.
 *
 * The server cancels a statement after `statement_timeout`. A second later the connection counts as silent: it is
 * destroyed, its query fails, and idle connections are discarded with it, because the fault that interrupted one
 * connection has interrupted the others too (hardening R34). With a `statement_timeout` of 0 only TCP keep-alive
 * notices.
 *
 * @param config of the pool: address, size, time limits.
 * @param deps.onError receives lost connections; their current query fails by itself.
 * @param deps.idle idle connections. Pools that share the set discard each other's when one falls silent.
 */
export function connectPostgres(
  config: pg.PoolConfig,
  { onError, idle = new Set() }: { onError: (error: Error) => void; idle?: Set<pg.PoolClient> },
): Kysely<Tables> {
  const pool = new pg.Pool({ keepAlive: true, keepAliveInitialDelayMillis: seconds(5), ...config });
  // The pool reports errors of idle connections, the client those of one that is in use or being removed.
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
  const connect = async () => {
    const client = await pool.connect();
    const query = createQuery(client, limitMs, () => discardSilent(client));
    return { query, release: (destroy?: boolean) => client.release(destroy) };
  };
  const { options } = pool;
  return new Kysely({ dialect: new PostgresDialect({ pool: { options, connect, end: () => pool.end() } }) });
}

/** Connects one client for the time of `work`. */
export async function withPostgresClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: seconds(5) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates a client's query, without cursors, whose callback is there from the beginning. pg's own promise attaches it
 * later, and results stay in memory far beyond their use: a copy of a million rows takes 90 MiB more. pg's own
 * `query_timeout` is not used: it fails the query, but returns the silent connection to the pool.
 * @param limitMs the time after which `discardSilent` is called; undefined for no limit.
 */
function createQuery(
  client: pg.PoolClient,
  limitMs: number | undefined,
  discardSilent: () => void,
): PostgresPoolClient["query"] {
  const query = (sql: string, parameters: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const timer = limitMs === undefined ? undefined : setTimeout(discardSilent, limitMs);
      client.query(sql, parameters.map(toStorable), (error: Error | undefined, result) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    });
  return query as PostgresPoolClient["query"];
}

/**
 * Replaces NUL characters in a text parameter. PostgreSQL refuses them, and such a request would fail with 500. All
 * text from outside passes here: like half of a surrogate pair, a NUL becomes the replacement character, which
 * matches nothing (hardening R37).
 */
function toStorable(parameter: unknown): unknown {
  return typeof parameter === "string" ? parameter.replaceAll("\0", "\ufffd") : parameter;
}
