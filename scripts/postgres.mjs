/**
 * A PostgreSQL for the tests: the one of this machine, if one answers without a password, else tests/postgres/ is installed, from
 * which a test starts its own (tests/databases.ts).
 */
import { existsSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOf, main, run, say, Stop } from "./child-process.mjs";
import { withLock } from "./folder-lock.mjs";
import { root } from "./prepare.mjs";

const FOLDER = join(root, "tests", "postgres");

/** @throws {Stop} with the end of npm's output */
export async function ensurePostgres() {
  if (await answers(5432)) return;
  const stamp = join(FOLDER, "node_modules", ".frontdesk-installed");
  if (existsSync(stamp)) return;
  await withLock(root, async (alsoHeldBy) => {
    if (existsSync(stamp)) return;
    say("Installing a PostgreSQL for the tests, as none answers on 127.0.0.1:5432 ...");
    const log = join(root, ".cache", "postgres.log");
    rmSync(stamp, { force: true });
    // Its own script links its libraries: the one package that may run one.
    const options = { cwd: FOLDER, env: process.env, log, started: alsoHeldBy };
    if ((await run("npm", ["ci"], options)) !== 0)
      throw new Stop(
        `${endOf(log)}\n\nPostgreSQL could not be installed; the end of what npm said stands above.`,
      );
    writeFileSync(stamp, "");
  });
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 2000 });
    const settle = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main(ensurePostgres);
