import { cpSync, rmSync } from "node:fs";
import { withPostgresClient } from "~/db/connect-postgres.server";
import { openDatabase } from "~/db/open-database.server";
import type { Database, DatabaseOptions } from "~/db/database.server";
import { localPostgres } from "../scripts/postgres.mjs";
import { startOwnPostgres, type PostgresServer } from "./own-postgres";
import { temporaryFolder } from "./temporary-folder";

/** A test's own database: it can be opened any number of times, and `remove` deletes it. */
export interface TestDatabase {
  dialect: "sqlite" | "postgres";
  /** Environment variables that make the product use this database. */
  environment: { DATA_DIR: string; DATABASE_URL?: string };
  open(options?: Pick<DatabaseOptions, "statementTimeoutMs">): Promise<Database>;
  remove(): Promise<void>;
}

export interface TemplateDatabase extends TestDatabase {
  /** Creates a copy, quicker than migrating again. The original must not be open, and must outlive its copies. */
  copy(): Promise<TemplateDatabase>;
}

/** Both databases; npm run test:mutants takes SQLite alone, to end within an hour. */
export const dialects = (["sqlite", "postgres"] as const).filter(
  (dialect) => dialect === (process.env.TEST_DIALECT ?? dialect),
);

export async function testDatabase(dialect: "sqlite" | "postgres"): Promise<TemplateDatabase> {
  return dialect === "sqlite" ? sqliteDatabase() : postgresDatabase(await postgresServer());
}

export function sqliteDatabase(template?: string): TemplateDatabase {
  const dataDir = temporaryFolder();
  if (template !== undefined) cpSync(template, dataDir, { recursive: true });
  const fail = (error: Error) => {
    throw error;
  };
  return {
    dialect: "sqlite",
    environment: { DATA_DIR: dataDir },
    open: () => openDatabase({ dataDir, onError: fail }),
    copy: async () => sqliteDatabase(dataDir),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

async function postgresDatabase(server: PostgresServer, template?: string): Promise<TemplateDatabase> {
  const name = `frontdesk_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const options = template ? `template ${template}` : await sortedAsInEnglish(server.url);
  await administer(server.url, `create database ${name} ${options}`);
  const place = postgresPlace(databaseUrl(server.url, name));
  return {
    ...place,
    // The server stops with the database it was started for.
    copy: () => postgresDatabase({ ...server, release: async () => undefined }, name),
    remove: async () => {
      await administer(server.url, `drop database if exists ${name} with (force)`);
      await server.release();
      await place.remove();
    },
  };
}

/** Options of a database whose texts are not sorted by byte, as on most servers; none where the server knows no ICU. */
async function sortedAsInEnglish(serverUrl: string): Promise<string> {
  const [row] = await administer(
    serverUrl,
    `select exists (select from pg_collation where collname = 'en-x-icu')
      and current_setting('server_version_num')::int >= 150000 as "hasIcu"`,
  );
  return row?.hasIcu === true ? "template template0 locale_provider icu icu_locale 'en-US'" : "";
}

/** Wraps an existing database that is kept, with a folder of the test's own. */
export function postgresPlace(url: string): TestDatabase {
  const dataDir = temporaryFolder();
  return {
    dialect: "postgres",
    environment: { DATA_DIR: dataDir, DATABASE_URL: url },
    open: (options) => openDatabase({ url, dataDir, onError: () => undefined, ...options }),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Variable with the URL of the server that a run starts for all its tests (tests/contracts/templates.ts). */
export const SHARED_SERVER = "TEST_POSTGRES_URL";

/** Returns the PostgreSQL of this machine if it needs no password; otherwise starts one for the test. */
export async function postgresServer(): Promise<PostgresServer> {
  const shared = process.env[SHARED_SERVER];
  if (shared) return { url: shared, release: async () => undefined };
  const local = await localPostgres();
  return local ? { url: local, release: async () => undefined } : startOwnPostgres();
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements one after the other. @returns the rows of the last one. */
export function administer(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  return withPostgresClient(url, async (client) => {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  });
}
