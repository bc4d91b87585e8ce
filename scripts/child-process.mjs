/** Output to the terminal and child processes, for the scripts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
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
 * pinned one.
 * @param {string} folder
 * @param {Partial<NodeJS.ProcessEnv>} [extra]
 */
export function toolEnvironment(folder, extra) {
  const PATH = [binFolder(folder), machinePath(folder)].join(delimiter);
  return { ...process.env, PATH, ...extra };
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
 * Runs a tool to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} [options.log] file for the output; without it the output goes to the terminal
 * @param {number} [options.timeout] milliseconds after which it is ended
 * @returns {Promise<number>} the exit code, 1 after a signal
 * @throws when the command cannot be started, as child_process reports it (ENOENT: not found)
 */
export async function run(command, args, { cwd, env, log, timeout }) {
  if (log) mkdirSync(dirname(log), { recursive: true });
  const output = log ? openSync(log, "w") : "inherit";
  const stdin = log ? "ignore" : "inherit";
  const child = spawn(command, args, { cwd, env, timeout, stdio: [stdin, output, output] });
  if (typeof output === "number") closeSync(output);
  const [code] = await once(child, "exit");
  return code ?? 1;
}

/**
 * Returns the last lines of a tool's output, for the message of its failure.
 * @param {string} log
 */
export function readTail(log, lines = 30) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}
