import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "~/db/open-database.server";
import type { Database } from "~/db/database.server";
import { administer, databaseUrl } from "../databases";

/** Migrated database of a test run: each worker has a copy, which is reset to it between two tests. */
export interface PostgresTemplate {
  serverUrl: string;
  name: string;
  state: State;
  /** Statements that give a copy the template's rows again. */
  reset: string;
}

interface State {
  bytes: number;
  /** Hash of the catalogs' rows and their transactions: it changes with the schema. */
  schema: string;
}

/** Growth after which a copy is replaced instead of reset: deleted rows stay in its files. */
const SPARE_BYTES = 4 * 2 ** 20;

const NO_SUCH_DATABASE = "3D000";

/** Objects that are not part of PostgreSQL itself. */
const OWN = "oid >= 16384";

const STATE = `
  select
    (select sum(pg_relation_size(oid))::int from pg_class where ${OWN}) as bytes,
    (select sum(hashtextextended(catalog::text, 0))::text from (
      select 'class', oid::text, xmin::text from pg_class where ${OWN}
      union all select 'column', attrelid || '.' || attnum, xmin::text from pg_attribute where attrelid >= 16384
      union all select 'constraint', oid::text, xmin::text from pg_constraint where ${OWN}
      union all select 'trigger', oid::text, xmin::text from pg_trigger
      union all select 'function', oid::text, xmin::text from pg_proc where ${OWN}
      union all select 'schema', oid::text, xmin::text from pg_namespace
    ) as catalog) as schema`;

const BUSY_CLIENTS = `
  select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`;
/** Time for queries of the previous test to end. */
const ENDING_MS = 2000;

/** Describes a migrated database that nothing was written to since. */
export async function describeTemplate(serverUrl: string, name: string): Promise<PostgresTemplate> {
  const client = new pg.Client(databaseUrl(serverUrl, name));
  await client.connect();
  try {
    const { rows: states } = await client.query<State>(STATE);
    const [state] = states;
    if (!state) throw new Error(`The state of ${name} is not known`);
    return { serverUrl, name, state, reset: await createResetStatements(client) };
  } finally {
    await client.end();
  }
}

/** Returns statements that replace all rows by the template's, in one transaction without foreign keys and triggers. */
async function createResetStatements(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and ${OWN}`,
  );
  const statements = ["begin", "set local session_replication_role = replica"];
  for (const { name } of tables) {
    statements.push(`delete from ${name}`);
    const { rows } = await client.query<{ json: string | null }>(
      `select json_agg(t)::text as json from ${name} as t`,
    );
    const json = rows[0]?.json;
    if (json)
      statements.push(
        `insert into ${name} select * from json_populate_recordset(null::${name}, ${pg.escapeLiteral(json)})`,
      );
  }
  return [...statements, "commit"].join(";\n");
}

/** Database of this worker, for one test at a time. Connections stay open between tests. */
export class WorkerPostgres {
  readonly url: string;
  readonly #template: PostgresTemplate;
  readonly #name: string;
  #client: pg.Client | undefined;
  #database: Database | undefined;

  constructor(template: PostgresTemplate) {
    this.#template = template;
    this.#name = `${template.name}_${process.env.VITEST_POOL_ID}`;
    this.url = databaseUrl(template.serverUrl, this.#name);
  }

  /** Resets it to the template, or replaces it when a test has left it in use, large or with another schema. */
  async fresh(): Promise<Database> {
    this.#client ??= await this.#connect();
    if (!this.#client || !(await this.#isReset(this.#client))) await this.#replace();
    this.#database ??= await openDatabase({ url: this.url, dataDir: tmpdir(), onError: () => undefined });
    return this.#database;
  }

  async close(): Promise<void> {
    const [client, database] = [this.#client, this.#database];
    this.#client = undefined;
    this.#database = undefined;
    await Promise.all([client?.end(), database?.close()]);
  }

  async #replace(): Promise<void> {
    await administer(
      this.#template.serverUrl,
      `drop database if exists ${this.#name} with (force)`,
      `create database ${this.#name} template ${this.#template.name}`,
      // No commit has to survive a power cut.
      `alter database ${this.#name} set synchronous_commit = off`,
    );
    await this.close();
    this.#client = await this.#connect();
  }

  /** @returns undefined when the database is not there yet. */
  async #connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client(this.url);
    // It is dropped with its connections.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === NO_SUCH_DATABASE) return undefined;
      throw error;
    }
  }

  async #isReset(client: pg.Client): Promise<boolean> {
    const deadline = performance.now() + ENDING_MS;
    while ((await client.query(BUSY_CLIENTS)).rowCount) {
      if (performance.now() > deadline) return false;
      await pause(2);
    }
    const { rows } = await client.query<State>(STATE);
    const [state] = rows;
    const { bytes, schema } = this.#template.state;
    if (!state || state.schema !== schema || state.bytes > bytes + SPARE_BYTES) return false;
    await client.query(this.#template.reset);
    return true;
  }
}
