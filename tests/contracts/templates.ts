import type { TestProject } from "vitest/node";
import { administer, postgresServer, SHARED_SERVER, sqliteDatabase, testDatabase } from "../databases";
import { describeTemplate, type PostgresTemplate } from "./migrated-postgres";

declare module "vitest" {
  export interface ProvidedContext {
    /** Empty migrated databases, which tests copy; SQLite's is a folder. */
    templates: { sqlite: string; postgres: PostgresTemplate };
  }
}

/** Creates the databases that all tests of a run copy. @returns a function that removes them and the copies. */
export default async function makeTemplates({ provide }: TestProject): Promise<() => Promise<void>> {
  const sqlite = sqliteDatabase();
  await (await sqlite.open()).close();

  const server = await postgresServer();
  process.env[SHARED_SERVER] = server.url;
  await dropDatabases(server.url, isLeftover);
  const postgres = await testDatabase("postgres");
  await (await postgres.open()).close();
  const name = new URL(postgres.environment.DATABASE_URL ?? "").pathname.slice(1);

  provide("templates", {
    sqlite: sqlite.environment.DATA_DIR,
    postgres: await describeTemplate(server.url, name),
  });
  return async () => {
    await dropDatabases(server.url, (one) => one.startsWith(`${name}_`));
    await Promise.all([sqlite.remove(), postgres.remove()]);
    await server.release();
  };
}

async function dropDatabases(serverUrl: string, isDropped: (name: string) => boolean): Promise<void> {
  const rows = await administer(serverUrl, "select datname as name from pg_database");
  const names = rows.map(({ name }) => String(name)).filter(isDropped);
  await administer(serverUrl, ...names.map((name) => `drop database if exists ${name} with (force)`));
}

/** Returns whether a killed run has left it: the process that its name begins with is gone. */
function isLeftover(name: string): boolean {
  const pid = /^frontdesk_(\d+)_/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
}
