/**
 * npm start: installs and builds what is missing, then serves. The application itself migrates its database and
 * creates the first superadmin.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCode, main, UserError, toolEnvironment } from "./child-process.mjs";
import { tryToListen } from "./free-port.mjs";
import { ensureBuilt, ensureInstalled, pinnedNode, root } from "./prepare.mjs";
import { SERVER_COMMAND } from "./server-command.mjs";

/** Node 24 reads .env itself, and the environment wins over it. Without the file Node would print a line at every start. */
const envFile = existsSync(join(root, ".env")) ? ["--env-file-if-exists=.env"] : [];

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { PORT, HOST } = serverAddress();
  await checkPort(PORT, HOST);
  return serve(PORT);
});

/**
 * Returns PORT and HOST as the server will read them. The pinned Node parses .env here too, because the Node 20 that
 * may run this script parses it differently.
 */
function serverAddress() {
  const script = "JSON.stringify({ PORT: process.env.PORT || '3000', HOST: process.env.HOST || undefined })";
  const { stdout } = spawnSync(pinnedNode(), [...envFile, "-p", script], { cwd: root, encoding: "utf8" });
  return JSON.parse(stdout);
}

/**
 * @param {string} port
 * @param {string} [host]
 * @throws {UserError} when the server could not listen there
 */
async function checkPort(port, host) {
  const number = Number(port);
  // An invalid port is reported by app/env.server.ts, with every other wrong variable.
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return;
  try {
    await tryToListen(number, host);
  } catch (error) {
    const { code, message } = error;
    throw new UserError(
      code === "EADDRINUSE"
        ? `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${number + 1} npm start`
        : `Port ${port} cannot be used${host ? ` on ${host}` : ""}: ${message}`,
    );
  }
}

/**
 * Serves until the server ends. It runs in a process group of its own, so that Ctrl-C reaches it exactly once: from
 * this process, not from the terminal too (and npm repeats it to us).
 *
 * @param {string} port always passed on: with an empty PORT remix-serve would pick any port
 * @returns {Promise<number>} the server's exit code
 */
async function serve(port) {
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
  const [code, signal] = await once(server, "exit");
  return exitCode(code, signal);
}
