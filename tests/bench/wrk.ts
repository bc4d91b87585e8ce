import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Measured } from "./rounds";

const run = promisify(execFile);
const MS_OF: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

interface WrkMeasured extends Measured {
  /** Milliseconds within which 99 of 100 requests were answered. */
  readonly p99: number;
}

/** Fetches GET / as often as many concurrent clients can. @throws when a response is an error. */
export async function measureByWrk(
  port: number,
  { clients, seconds, headers }: { clients: number; seconds: number; headers: Record<string, string> },
): Promise<WrkMeasured> {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const options = ["-t1", `-c${clients}`, `-d${seconds}s`, "--latency", ...headerOptions];
  const { stdout } = await run("wrk", [...options, `http://127.0.0.1:${port}/`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, done] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, p99, unit = ""] = /^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  return {
    done: Number(done),
    perSecond: Number(perSecond),
    p99: Number(p99) * (MS_OF[unit] ?? NaN),
  };
}

export function hasWrk(): Promise<boolean> {
  // wrk has no option that only prints its version: without a URL it prints its usage and fails.
  return run("wrk").then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
