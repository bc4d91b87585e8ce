import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { seconds } from "~/lib/durations";
import { withPostgresClient } from "./connect-postgres.server";

/** Schemas with what restores have replaced, as a pattern of pg_dump: backups leave them out. */
const KEPT_SCHEMAS = "before_restore_*";

const LEAVING_CLIENT_POLL_MS = 20;

/** URL of the database, and the environment of its programs. */
interface Postgres {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Dumps the database as of this moment, while servers run. */
export async function dumpPostgres(postgres: Postgres, to: string): Promise<void> {
  await runTool("pg_dump", postgres, [
    "--format=custom",
    "--no-owner",
    "--no-privileges",
    `--exclude-schema=${KEPT_SCHEMAS}`,
    `--file=${to}`,
    `--dbname=${withoutPassword(postgres.url)}`,
  ]);
}

/** Checks a dump; returns its damage, or undefined when all of it can be read. */
export async function findDumpDamage(postgres: Postgres, dump: string): Promise<string | undefined> {
  return runTool("pg_restore", postgres, [`--file=${devNull}`, dump]).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Lists the names of the migrations in a dump, in order. */
export async function listDumpMigrations(postgres: Postgres, dump: string): Promise<string[]> {
  const listOptions = ["--data-only", `--table=${DEFAULT_MIGRATION_TABLE}`, "--file=-", dump];
  const written = await runTool("pg_restore", postgres, listOptions);
  const rows = /^COPY [^\n]*\n(.*?)^\\\.$/ms.exec(written)?.[1] ?? "";
  return rows
    .split("\n")
    .flatMap((row) => row.split("\t", 1))
    .filter(Boolean);
}

/**
 * Replaces all tables with a dump, in one transaction: until the commit nothing changes, however it ends. The
 * replaced tables move to a schema of their own; pg_restore's `--clean` would instead leave tables that the dump
 * does not know.
 * @param options.keepIn name of that schema, which must not exist yet.
 * @param options.onStep called before the dump is read and before the commit.
 */
export async function replacePostgres(
  postgres: Postgres,
  dump: string,
  options: { readonly keepIn: string; readonly onStep: (step: string) => void },
): Promise<void> {
  const databaseOption = `--dbname=${withoutPassword(postgres.url)}`;
  const restoreOptions = ["--no-psqlrc", "--quiet", `--output=${devNull}`, "--set=ON_ERROR_STOP=1"];
  const writer = startTool("psql", postgres, [...restoreOptions, databaseOption]);
  // A comment belongs to whoever created the extension, who need not be the product's role.
  const readOptions = ["--no-owner", "--no-privileges", "--no-comments", "--file=-", dump];
  const reader = startTool("pg_restore", postgres, readOptions);
  try {
    writer.input.write(`begin;\n${moveTables(options.keepIn)}\n`);
    options.onStep("load the dump");
    await pipeline(reader.output, writer.input, { end: false }).catch(async (error: unknown) => {
      // The program that stopped reading reports the reason itself.
      await writer.ended;
      throw error;
    });
    await reader.ended;
    options.onStep("commit the dump");
    // Only after the whole dump was read: psql ends at the end of its input, and without this nothing is committed.
    writer.input.end("commit;\n");
    await writer.ended;
  } finally {
    writer.kill();
    reader.kill();
  }
}

/** Moves the product's objects from `public`; extensions and their parts stay where they are. */
function moveTables(schema: string): string {
  return `
    create schema "${schema}";
    do $$
    declare
      statement text;
    begin
      for statement in
        select format('alter table %s set schema "${schema}"', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
          and not exists (
            select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('e', 'a', 'i')
          )
        union all
        select format('alter function %s set schema "${schema}"', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace
          and not exists (
            select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
          )
      loop
        execute statement;
      end loop;
    end $$;`;
}

/**
 * Returns whether a server, or another program, but none of PostgreSQL's own workers, is connected to the database.
 * PostgreSQL lists a client for a moment after it has left, so one counts when it is still there a second later.
 */
export async function hasOtherClients(url: string): Promise<boolean> {
  return withPostgresClient(url, async (client) => {
    const deadline = performance.now() + seconds(1);
    for (;;) {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`,
      );
      if (rows.length === 0) return false;
      if (performance.now() > deadline) return true;
      await pause(LEAVING_CLIENT_POLL_MS);
    }
  });
}

/** Runs a program. Its password is in the environment, because everybody may read the arguments. */
async function runTool(name: string, postgres: Postgres, args: string[]): Promise<string> {
  const { input, output, ended } = startTool(name, postgres, args);
  input.end();
  const [written] = await Promise.all([text(output), ended]);
  return written;
}

/** Starts a program with its input and output as streams. */
function startTool(name: string, { url, environment }: Postgres, args: string[]) {
  const { password } = new URL(url);
  const env = password === "" ? environment : { ...environment, PGPASSWORD: decodeURIComponent(password) };
  const child = spawn(name, args, { env, stdio: "pipe" });
  const errors = text(child.stderr);
  // The program ended before it had read everything: `ended` has the reason.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(toolError(name, error, "")));
    child.once("close", (code) => {
      if (code === 0) resolve();
      else errors.then((words) => reject(toolError(name, new Error(`ended with ${code}`), words)), reject);
    });
  });
  // Whoever awaits `ended` gets the error; until then it must not be an unhandled rejection.
  ended.catch(() => undefined);
  return { input: child.stdin, output: child.stdout, ended, kill: () => child.kill() };
}

/** Creates the error of one of PostgreSQL's own client programs; its message quotes the program's output. */
function toolError(name: string, cause: unknown, words: string): Error {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
    return new Error(`${name} is not installed: install PostgreSQL's client programs.`, { cause });
  }
  const last = (words || String(cause)).trim().split("\n").slice(-3).join(" ");
  return new Error(`${name}: ${last}`, { cause });
}

function withoutPassword(url: string): string {
  const safe = new URL(url);
  safe.password = "";
  return safe.href;
}
