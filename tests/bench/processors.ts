import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Processor of the load generator; the compared servers share the other one. */
const OF_LOAD = 0;
const OF_SERVERS = 1;

const canPin: Promise<boolean> = availableParallelism() > 1 ? taskset(["--version"]) : Promise.resolve(false);

/**
 * Pins a process with all its threads to one processor. Otherwise the scheduler moves the servers between
 * processors, which differ by half with neighbours on the machine. Does nothing with one processor or without
 * `taskset` (util-linux).
 */
export async function pinServer(pid: number): Promise<void> {
  if (await canPin) await taskset(["-a", "-p", "-c", String(OF_SERVERS), String(pid)]);
}

/** Pins a load generator away from the servers where possible. @returns the program and arguments to run. */
export async function pinLoad(program: string, args: readonly string[]): Promise<[string, string[]]> {
  return (await canPin) ? ["taskset", ["-c", String(OF_LOAD), program, ...args]] : [program, [...args]];
}

/** Runs `taskset`. @returns whether it succeeded. */
function taskset(args: string[]): Promise<boolean> {
  return run("taskset", args).then(
    () => true,
    () => false,
  );
}
