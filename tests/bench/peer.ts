import { execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { machinePath } from "../../scripts/child-process.mjs";

/** Outside the project, and the user's own, because programs are run from it. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "frontdesk-peers");
const READY_WITHIN_MS = 120_000;

/**
 * Installs a peer on the first run; later runs find it installed.
 * @returns its folder.
 * @throws when the installation fails, as without a network; the next run tries again.
 */
export function installPeer(name: string, install: (folder: string) => void): string {
  const folder = join(CACHE, name);
  const stamp = join(CACHE, `${name}.installed`);
  if (existsSync(stamp)) return folder;
  console.info(`Installing ${name} in ${folder} ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(stamp, "");
  return folder;
}

/** Runs a command to its end with the machine's own tools. @throws with its error output when it fails. */
export function runIn(
  folder: string,
  [command = "", ...args]: readonly string[],
  environment: Record<string, string> = {},
): void {
  const env = { ...process.env, PATH: machinePath(process.cwd()), ...environment };
  execFileSync(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"], maxBuffer: 2 ** 28 });
}

/**
 * Starts a server that runs until it is stopped, or until this process ends.
 * @param url responds with a success once it is ready.
 */
export async function startPeer(
  url: string,
  command: string,
  args: readonly string[],
  options: SpawnOptions,
) {
  const child = spawn(command, args, options);
  const kill = () => child.kill();
  process.once("exit", kill);
  const stop = async () => {
    const exited = once(child, "exit");
    kill();
    await exited;
    process.off("exit", kill);
  };
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isServing(url))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`${url} did not become ready`);
    }
    await pause(50);
  }
  return { pid: child.pid ?? 0, stop };
}

/** Returns whether an address responds with a success. */
const isServing = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
