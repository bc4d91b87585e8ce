/**
 * Provides a PostgreSQL for the tests: this machine's, if it accepts a connection without a password, otherwise the
 * packages of tests/postgres/, from which a test starts its own (tests/databases.ts).
 */
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { readTail, main, run, print, UserError } from "./child-process.mjs";
import { prepareAlone, root } from "./prepare.mjs";

const FOLDER = join(root, "tests", "postgres");

/** @returns {Promise<string | undefined>} the URL of this machine's PostgreSQL, if it accepts a connection without a password */
export async function localPostgres() {
  const url = `postgres://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.query("select 1");
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws {UserError} with the end of npm's output */
export async function ensurePostgres() {
  if (await localPostgres()) return;
  const stamp = join(FOLDER, "node_modules", ".frontdesk-installed");
  if (existsSync(stamp)) return;
  await prepareAlone(root, async () => {
    print("Installing a PostgreSQL for the tests, as none answers on 127.0.0.1:5432 without a password ...");
    const log = join(root, ".cache", "postgres.log");
    // Its install script links its libraries: the one package that may run one.
    if ((await run("npm", ["ci"], { cwd: FOLDER, env: process.env, log })) !== 0)
      throw new UserError(
        `${readTail(log)}\n\nPostgreSQL could not be installed; see the end of npm's output above.`,
      );
    writeFileSync(stamp, "");
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main(ensurePostgres);
