import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { seconds } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";

const run = promisify(execFile);

/** PostgreSQL's own programs, which come with its client, could not do it; `message` has their words. */
class PostgresToolError extends Error {
  override name = "PostgresToolError";
}

/** Where the database is, and the environment its programs run in. */
interface Postgres {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Copies the database as it is at this moment, while servers go on. */
export async function dumpPostgres({ url, environment }: Postgres, to: string): Promise<void> {
  const how = ["--format=custom", "--no-owner", "--no-privileges"];
  await tool("pg_dump", { url, environment }, [...how, `--file=${to}`, `--dbname=${withoutPassword(url)}`]);
}

/** What is wrong with such a copy; undefined when its list of contents can be read. */
export async function damageOfDump(postgres: Postgres, dump: string): Promise<string | undefined> {
  return tool("pg_restore", postgres, ["--list", dump]).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Puts the copy in the place of all there is, or, when that fails, changes nothing. */
export async function restorePostgres(postgres: Postgres, from: string): Promise<void> {
  const how = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction"];
  const where = `--dbname=${withoutPassword(postgres.url)}`;
  await tool("pg_restore", postgres, [...how, "--exit-on-error", where, from]);
}

/** Whether a server, or another program, is connected to the database; PostgreSQL's own workers do not count. */
export async function hasOtherClients(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: seconds(5) });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/** The password goes by the environment: everybody may read the arguments of a process. */
async function tool(name: string, { url, environment }: Postgres, args: string[]): Promise<void> {
  const PGPASSWORD = decodeURIComponent(new URL(url).password);
  try {
    await run(name, args, { env: { ...environment, PGPASSWORD }, maxBuffer: mebibytes(64) });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new PostgresToolError(`${name} is not here: install PostgreSQL's client programs.`, {
        cause: error,
      });
    }
    const words = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw new PostgresToolError(`${name}: ${words.trim().split("\n").slice(-3).join(" ")}`, { cause: error });
  }
}

function withoutPassword(url: string): string {
  const safe = new URL(url);
  safe.password = "";
  return safe.href;
}
