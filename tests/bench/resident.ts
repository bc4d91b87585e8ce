import { readFileSync } from "node:fs";

/** Returns a process's resident memory in MiB; NaN where the system does not report it. */
export function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
