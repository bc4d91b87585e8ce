import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { setTimeout as pause } from "node:timers/promises";
import { seconds } from "~/lib/durations";
import { ConnectionSlots } from "./connection-slots";
import type { Tables } from "./tables";

/** Time for a cancellation by the server's own `statement_timeout` to arrive here. */
const CANCELLATION_MS = seconds(1);
/** Interval between attempts to connect while the server has not one connection left for this pool. */
const RECONNECT_MS = 200;
const DEFAULT_POOL = 10;

/**
 * Error codes of a connection that leads to the wrong server, or to one that ends or refuses clients: connection
 * exceptions, read_only_sql_transaction, admin_shutdown, crash_shutdown, cannot_connect_now.
 */
const WRONG_SERVER = /^(?:08...|25006|57P0[123])$/;
const TOO_MANY_CONNECTIONS = "53300";

export interface PostgresDeps {
  /** Receives lost connections; their current query fails by itself. */
  readonly onError: (error: Error) => void;
  /** The connections of all pools that lead to the same database; by default those of this pool. */
  readonly connections?: PostgresConnections;
  /**
   * Set on each connection after it is made: as a part of the connection request, poolers such as PgBouncer refuse
   * them (hardening R45). `statement_timeout` in milliseconds, 0 by default: no limit.
   */
  readonly settings?: {
    readonly statement_timeout?: number;
    readonly [name: string]: string | number | undefined;
  };
  /** Whether callers wait, for `connectionTimeoutMillis`, while the server has no free connection; true by default. */
  readonly waitsForFreeConnection?: boolean;
}

/**
 * Creates queries over a pool of connections to PostgreSQL, the first of which opens one.
 *
 * - The server cancels a statement after `statement_timeout`. A second later the connection counts as silent: it is
 *   destroyed, its query fails, and idle connections are discarded with it, because the fault that interrupted one
 *   connection has interrupted the others too (hardening R34). With a `statement_timeout` of 0 only TCP keep-alive
 *   notices.
 * - A connection on which the server says that it is read-only, or ends, is discarded after its query with all others
 *   made before, because after a failover they lead to the wrong server (hardening R42).
 * - While the server has fewer connections than the pool wants, callers wait for one of the pool's; without any it
 *   is tried again (hardening R43).
 *
 * @param config of the pool: address, size, time limits of connecting.
 */
export function connectPostgres(config: pg.PoolConfig, deps: PostgresDeps): Kysely<Tables> {
  const { onError, connections = new PostgresConnections(), settings = {} } = deps;
  const { max = DEFAULT_POOL, connectionTimeoutMillis = 0 } = config;
  const { waitsForFreeConnection = true } = deps;
  const pool: pg.Pool = new pg.Pool({
    keepAlive: true,
    keepAliveInitialDelayMillis: seconds(5),
    ...config,
    max,
    // The pool waits for the promise, and closes the connection when it rejects.
    onConnect: async (client) => {
      const query = createQuery(client as pg.PoolClient, connectionTimeoutMillis, connections);
      const [sql, parameters] = setSettings(settings);
      await query(sql, parameters);
    },
  });
  const slots = new ConnectionSlots(max);
  let connected = 0;
  // The pool reports errors of idle connections, the client those of one that is in use or being removed.
  pool.on("error", onError);
  pool.on("connect", (client) => {
    connected += 1;
    client.once("end", () => (connected -= 1));
    connections.add(client, onError);
  });
  pool.on("acquire", (client) => connections.acquired(client));
  pool.on("release", (_error, client) => connections.released(client));
  pool.on("remove", (client) => connections.acquired(client));

  const { statement_timeout } = settings;
  const limitMs = statement_timeout ? statement_timeout + CANCELLATION_MS : 0;

  async function connect() {
    const deadline = performance.now() + connectionTimeoutMillis;
    await slots.take(connectionTimeoutMillis);
    for (;;) {
      try {
        const client = await pool.connect();
        const release = (destroy?: boolean) => {
          client.release(destroy || connections.isOutdated(client));
          slots.free();
        };
        return { query: createQuery(client, limitMs, connections), release };
      } catch (error) {
        discardAfter(error, connections);
        const leftMs = deadline - performance.now();
        if (!waitsForFreeConnection || !isTooManyConnections(error) || leftMs <= 0) {
          slots.free();
          throw error;
        }
        slots.limit(connected);
        if (connected === 0) {
          await pause(RECONNECT_MS);
        } else {
          slots.free();
          await slots.take(leftMs);
        }
      }
    }
  }

  const { options } = pool;
  return new Kysely({ dialect: new PostgresDialect({ pool: { options, connect, end: () => pool.end() } }) });
}

/** Returns whether PostgreSQL refused a connection because it, the database or the role has no free one. */
export const isTooManyConnections = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS;

/** The connections of one or several pools to one database, which are lost together. */
export class PostgresConnections {
  readonly #idle = new Set<pg.PoolClient>();
  /** The connections made since the last loss. */
  #current = new WeakSet<pg.PoolClient>();

  add(client: pg.PoolClient, onError: (error: Error) => void): void {
    this.#current.add(client);
    client.on("error", (error) => {
      if (!this.#idle.has(client)) onError(error);
    });
  }

  acquired(client: pg.PoolClient): void {
    this.#idle.delete(client);
  }

  released(client: pg.PoolClient): void {
    this.#idle.add(client);
  }

  /** Returns whether another connection has been lost since this one was made. */
  isOutdated(client: pg.PoolClient): boolean {
    return !this.#current.has(client);
  }

  /** Discards the idle connections at once, and those in use when they are released. */
  discardAll(reason: string): void {
    this.#current = new WeakSet();
    for (const each of this.#idle) each.connection.stream.destroy(new Error(reason));
  }
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
 * @param limitMs the time after which the connection counts as silent; 0 for no limit.
 */
function createQuery(
  client: pg.PoolClient,
  limitMs: number,
  connections: PostgresConnections,
): PostgresPoolClient["query"] {
  const discardSilent = () => {
    const reason = "PostgreSQL does not answer on this connection";
    client.connection.stream.destroy(new Error(reason));
    connections.discardAll(reason);
  };
  const query = (sql: string, parameters: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const timer = limitMs > 0 ? setTimeout(discardSilent, limitMs) : undefined;
      client.query(sql, parameters.map(toStorable), (error: Error | undefined, result) => {
        clearTimeout(timer);
        if (!error) return resolve(result);
        discardAfter(error, connections);
        reject(error);
      });
    });
  return query as PostgresPoolClient["query"];
}

/** Discards all connections when an error says that they lead to the wrong server. */
function discardAfter(error: unknown, connections: PostgresConnections): void {
  if (error instanceof pg.DatabaseError && WRONG_SERVER.test(error.code ?? "")) {
    connections.discardAll(`another connection was lost: ${error.message}`);
  }
}

/** Creates the statement that sets a session's settings. */
function setSettings(settings: NonNullable<PostgresDeps["settings"]>): [sql: string, parameters: string[]] {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  return [`select ${calls.join(", ") || "1"}`, entries.flatMap(([name, value]) => [name, String(value)])];
}

/**
 * Replaces NUL characters in a text parameter. PostgreSQL refuses them, and such a request would fail with 500. All
 * text from outside passes here: like half of a surrogate pair, a NUL becomes the replacement character, which
 * matches nothing (hardening R37).
 */
function toStorable(parameter: unknown): unknown {
  return typeof parameter === "string" ? parameter.replaceAll("\0", "\ufffd") : parameter;
}
