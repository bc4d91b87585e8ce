/** Serialises preparations of a folder: two installs in one folder leave broken packages behind. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, say } from "./child-process.mjs";

const WAIT_MS = 15 * 60_000;
const LOOK_MS = 300;

/**
 * Does the work while holding the folder's lock; waits while another living process holds it. A lock whose processes
 * are all gone is taken over at once.
 *
 * @template T
 * @param {string} folder
 * @param {(alsoHeldBy: (pid: number) => void) => Promise<T>} work gets a function that names a child as a holder: a
 *   child that outlives us (kill -9 of ours alone) still keeps others out.
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  const path = join(folder, ".cache", "prepare.lock");
  await acquire(path);
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work((pid) => replace(path, describe(process.pid, pid)));
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

/** @param {string} path */
async function acquire(path) {
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + WAIT_MS;
  let told = false;
  while (!create(path)) {
    const text = readIfPresent(path);
    if (text === undefined) continue;
    const holder = holders(text).find(isAlive);
    if (!holder) {
      takeOver(path, text);
      continue;
    }
    if (!told) say(`Another run (process ${holder.pid}) is preparing this folder: waiting for it.`);
    told = true;
    if (Date.now() > deadline) {
      throw new Stop(`Process ${holder.pid} is still preparing this folder. End it, or remove ${path}.`);
    }
    await sleep(LOOK_MS);
  }
}

/**
 * Creates the lock with its content in one step (link fails if it exists), so that nobody reads it half written.
 * @param {string} path
 */
function create(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, describe(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} path @param {string} text */
function replace(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/**
 * Removes a lock nobody holds. Another process may have done so and taken the lock since we read it: what we moved away
 * is then not what we read, and goes back.
 * @param {string} path @param {string} text
 */
function takeOver(path, text) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, path);
  } catch {
    // Already removed, or taken by a third process meanwhile: the caller retries.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @param {string} path */
function readIfPresent(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** @typedef {{ pid: number, started: string }} Holder */

/** @param {...number} pids */
function describe(...pids) {
  return JSON.stringify(pids.map((pid) => ({ pid, started: startOf(pid) })));
}

/** @param {string} text @returns {Holder[]} */
function holders(text) {
  try {
    return JSON.parse(text);
  } catch {
    return []; // a disk that was full, or an edit by hand
  }
}

/** @param {Holder} holder */
function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  return startOf(pid) === started;
}

/**
 * Returns when a process started, in the kernel's ticks: a pid alone may have been reused since, above all in
 * containers. Empty without /proc; the pid must do there.
 * @param {number} pid
 */
function startOf(pid) {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold spaces; the start is field 22.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
