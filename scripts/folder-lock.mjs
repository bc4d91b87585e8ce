/** Serialises preparations of a folder: two installs in one folder leave broken packages behind. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError, print } from "./child-process.mjs";

const WAIT_MS = 15 * 60_000;
const POLL_MS = 300;

/**
 * Holds the folder's lock during `work`; waits while another living process holds it. A lock whose processes have all
 * ended is taken over at once.
 *
 * @template T
 * @param {string} folder
 * @param {(addOwner: (pid: number) => void) => Promise<T>} work gets a function that adds a child as an owner: a
 *   child that outlives this process after a kill -9 still keeps others out.
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  const path = join(folder, ".cache", "prepare.lock");
  await acquire(path);
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work((pid) => replace(path, serializeOwners(process.pid, pid)));
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

/** @param {string} path */
async function acquire(path) {
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + WAIT_MS;
  let isAnnounced = false;
  while (!create(path)) {
    const text = readIfPresent(path);
    if (text === undefined) continue;
    const owner = parseOwners(text).find(isAlive);
    if (!owner) {
      takeOver(path, text);
      continue;
    }
    if (!isAnnounced) print(`Another run (process ${owner.pid}) is preparing this folder: waiting for it.`);
    isAnnounced = true;
    if (Date.now() > deadline) {
      throw new UserError(`Process ${owner.pid} is still preparing this folder. End it, or remove ${path}.`);
    }
    await sleep(POLL_MS);
  }
}

/**
 * Creates the lock with its content in one step (link fails if it exists), so that no reader sees half of it.
 * @param {string} path
 */
function create(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, serializeOwners(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
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
 * Removes a lock without a living owner. Another process may have replaced it since it was read: then the moved file
 * differs from `text` and is moved back.
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
export function readIfPresent(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** @typedef {{ pid: number, started: string }} Owner */

/** @param {...number} pids */
function serializeOwners(...pids) {
  return JSON.stringify(pids.map((pid) => ({ pid, started: getStartTime(pid) })));
}

/** @param {string} text @returns {Owner[]} */
function parseOwners(text) {
  try {
    return JSON.parse(text);
  } catch {
    return []; // a disk that was full, or an edit by hand
  }
}

/** @param {Owner} owner */
function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  return getStartTime(pid) === started;
}

/**
 * Returns the start time of a process, in the kernel's ticks: a pid alone may have been reused, above all in
 * containers. Empty without /proc, where the pid has to suffice.
 * @param {number} pid
 */
function getStartTime(pid) {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold spaces; the start is field 22.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
