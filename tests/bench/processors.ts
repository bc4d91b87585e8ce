import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The processor that asks; the servers that are compared share the other one. */
const OF_LOAD = 0;
const OF_SERVERS = 1;

const canPin: Promise<boolean> = availableParallelism() > 1 ? taskset(["--version"]) : Promise.resolve(false);

/**
 * Keeps a process, with all its threads, on one processor. A scheduler that moves two servers about compares processors: with
 * neighbours on the machine they differ by half. Does nothing where there is one processor only or no `taskset` (util-linux).
 */
export async function pinServer(pid: number): Promise<void> {
  if (await canPin) await taskset(["-a", "-p", "-c", String(OF_SERVERS), String(pid)]);
}

/** @returns how to run a program that asks: its name and its arguments, kept away from the servers where that can be. */
export async function pinLoad(program: string, args: readonly string[]): Promise<[string, string[]]> {
  return (await canPin) ? ["taskset", ["-c", String(OF_LOAD), program, ...args]] : [program, [...args]];
}

/** @returns whether it could be done. */
function taskset(args: string[]): Promise<boolean> {
  return run("taskset", args).then(
    () => true,
    () => false,
  );
}
