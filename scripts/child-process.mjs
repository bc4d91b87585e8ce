/** Output to the terminal and child processes, for the scripts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** A failure that the user can fix: its message is printed, without a stack. */
export class UserError extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @param {string} line */
export function print(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a script; the returned number becomes the exit code.
 * @param {() => Promise<number | void>} work
 */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

/**
 * Returns the environment with this folder's tools first on PATH, as npm gives it to a script: `node` is then the
 * pinned one, also on a first run, before npm knows it. Compiled code is cached for the next start.
 * @param {string} folder
 * @param {Partial<NodeJS.ProcessEnv>} [extra]
 */
export function toolEnvironment(folder, extra) {
  return {
    ...process.env,
    PATH: [binFolder(folder), machinePath(folder)].join(delimiter),
    NODE_COMPILE_CACHE: join(folder, ".cache", "compiled"),
    ...extra,
  };
}

/**
 * Returns PATH without this folder's tools: the install must not depend on the files it replaces.
 * @param {string} folder
 */
export function machinePath(folder) {
  const bin = binFolder(folder);
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((entry) => entry !== bin)
    .join(delimiter);
}

/** @param {string} folder */
export function binFolder(folder) {
  return join(folder, "node_modules", ".bin");
}

/**
 * Returns the exit code as a shell reports it.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + constants.signals[signal ?? "SIGKILL"];
}

/**
 * Runs a tool to its end in the terminal's process group, so that Ctrl-C reaches it directly; SIGTERM and SIGHUP, which
 * reach only this process, are passed on. After a signal the promise rejects, so that it does not look like a failed tool.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} [options.log] file for the output; without it the output goes to the terminal
 * @param {boolean} [options.endsWithUs] the tool is Node with scripts/end-with-parent.mjs
 * @param {(pid: number) => void} [options.started]
 * @param {number} [options.timeout] milliseconds after which it is ended
 * @returns {Promise<number>} the exit code
 * @throws when the command cannot be started, as child_process reports it (ENOENT: not found)
 */
export async function run(command, args, { cwd, env, log, endsWithUs, started, timeout }) {
  if (log) mkdirSync(dirname(log), { recursive: true });
  // A file and not a pipe: if this process is killed, the tool does not fail on a closed pipe.
  const output = log ? openSync(log, "w") : "inherit";
  const child = spawn(command, args, {
    cwd,
    env,
    timeout,
    stdio: [log ? "ignore" : "inherit", output, output, ...(endsWithUs ? ["ipc"] : [])],
  });
  if (typeof output === "number") closeSync(output);

  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    if (signal !== "SIGINT" && !received) child.kill(signal);
    received ??= signal;
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, onSignal);

  child.once("spawn", () => child.pid && started?.(child.pid));
  try {
    const [code, signal] = await once(child, "exit");
    if (received) throw new UserError("Interrupted.", exitCode(null, received));
    return exitCode(code, signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, onSignal);
  }
}

/**
 * Returns the last lines of a tool's output, for the message of its failure.
 * @param {string} log
 */
export function readTail(log, lines = 30) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}
