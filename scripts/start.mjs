/**
 * npm start: from a fresh clone to a serving product, and at once when there is nothing to prepare. The application
 * itself migrates its database and makes the first superadmin.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { exitCode, main, Stop, toolEnvironment } from "./child-process.mjs";
import { checkMachine, ensureBuilt, ensureInstalled, pinnedNode, root } from "./prepare.mjs";
import { SERVER_COMMAND } from "./server-command.mjs";

/** Node 24 reads .env itself; what is set in the environment wins over it. Absent, Node would say so at every start. */
const envFile = existsSync(join(root, ".env")) ? ["--env-file-if-exists=.env"] : [];

await main(async () => {
  checkMachine();
  await ensureInstalled();
  await ensureBuilt();
  const { PORT, HOST } = serverAddress();
  await checkPort(PORT, HOST);
  return serve(PORT);
});

/**
 * Returns PORT and HOST as the server will see them. The pinned Node reads .env here too, so that it is read the
 * same way everywhere (Node 20 may run this script, and its reading is younger and differs).
 */
function serverAddress() {
  const script = "JSON.stringify({ PORT: process.env.PORT || '3000', HOST: process.env.HOST || undefined })";
  const { stdout } = spawnSync(pinnedNode(), [...envFile, "-p", script], { cwd: root, encoding: "utf8" });
  return /** @type {{ PORT: string, HOST?: string }} */ (JSON.parse(stdout));
}

/**
 * @param {string} port
 * @param {string} [host]
 * @throws {Stop} when the server could not listen there
 */
function checkPort(port, host) {
  const number = Number(port);
  // An invalid port is reported by app/env.server.ts, with every other wrong variable.
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return;
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") {
        reject(
          new Stop(
            `Port ${port} is in use. Stop what uses it, or choose another: PORT=${number + 1} npm start`,
          ),
        );
      } else {
        reject(new Stop(`Port ${port} cannot be used${host ? ` on ${host}` : ""}: ${error.message}`));
      }
    });
    probe.listen(number, host, () => probe.close(resolve));
  });
}

/**
 * Serves until the server ends. It runs in a process group of its own: Ctrl-C at a terminal would else reach it once
 * from the terminal and once from us (and npm repeats it to us). So it hears of a stop from us alone, exactly once.
 *
 * @param {string} port always passed on: with an empty PORT remix-serve would listen anywhere
 * @returns {Promise<number>} the server's exit code
 */
function serve(port) {
  const server = spawn(
    pinnedNode(),
    ["--import=./scripts/end-with-parent.mjs", ...envFile, ...SERVER_COMMAND],
    {
      cwd: root,
      env: toolEnvironment(root, { NODE_ENV: "production", PORT: port }),
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      detached: true,
    },
  );
  let stopping = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    if (!stopping) server.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    stopping = true;
  };
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
  // A killed npm sends no signal: without this its server would stay and hold the port.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && stop("SIGTERM"), 1000).unref();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
}
