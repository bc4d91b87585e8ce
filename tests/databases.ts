import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "~/db/database.server";
import type { Database, DatabaseOptions } from "~/db/database.server";
import { startOwnPostgres } from "./own-postgres";

/** A database of a test's own: opened as often as the test likes, gone with `remove`. */
export interface TestDatabase {
  dialect: "sqlite" | "postgres";
  /** What the product is started with to use this database. */
  environment: { DATA_DIR: string; DATABASE_URL?: string };
  open(options?: Pick<DatabaseOptions, "statementTimeoutMs">): Promise<Database>;
  /** Another one with the same in it, quicker than migrating again. Nobody may have this one open, and it outlives its copies. */
  copy(): Promise<TestDatabase>;
  remove(): Promise<void>;
}

export const dialects = ["sqlite", "postgres"] as const;

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "frontdesk-test-"));
}

export async function testDatabase(dialect: "sqlite" | "postgres"): Promise<TestDatabase> {
  return dialect === "sqlite" ? sqliteDatabase() : postgresDatabase(await postgresServer());
}

function sqliteDatabase(template?: string): TestDatabase {
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

async function postgresDatabase(server: PostgresServer, template?: string): Promise<TestDatabase> {
  const dataDir = temporaryFolder();
  const name = `frontdesk_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  await administer(server.url, `create database ${name}${template ? ` template ${template}` : ""}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    dialect: "postgres",
    environment: { DATA_DIR: dataDir, DATABASE_URL: url.href },
    open: (options) => openDatabase({ url: url.href, dataDir, onError: () => undefined, ...options }),
    // The server goes with the database it was started for.
    copy: () => postgresDatabase({ ...server, release: async () => undefined }, name),
    remove: async () => {
      await administer(server.url, `drop database if exists ${name} with (force)`);
      await server.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface PostgresServer {
  url: string;
  release(): Promise<void>;
}

/** The PostgreSQL of this machine where one answers without a password; else one of our own, started for the test. */
async function postgresServer(): Promise<PostgresServer> {
  const local = `postgres://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`;
  try {
    await administer(local, "select 1");
    return { url: local, release: async () => undefined };
  } catch {
    return startOwnPostgres();
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
