import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BystandersAnswer, BystandersQuestion } from "../attack/bystanders";
import { startHelper } from "../bench/helper-process";
import { logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { stampOfAPerson } from "../server/visitors";
import { listFaults } from "./ledger";
import type { Slowness, SlowReport } from "./slow-visitors";

/** Timeout of R14, plus the delay that timers of three processes may add on a busy machine. */
const HEADERS_MS = 15_000;
const BODY_MS = 35_000;
const TOLERANCE_MS = 2500;
const P99_MS = 150;
/** Files that a process needs besides these sockets. */
const OTHER_FILES = 500;

let server: ServerProcess;
/** Response time of the idle server on this machine, which may be busy with other work. */
let idleP99: number;
beforeAll(async () => {
  server = await startServer();
  idleP99 = percentile(await freshVisitors(pause(3000)), 99);
});
afterAll(() => server.remove());

describe("visitors who do not finish their request (R14)", () => {
  it("thousands of half-open connections delay nobody and are closed in time", async () => {
    const sockets = Math.min(10_000, fileLimit() - OTHER_FILES);
    const memoryBefore = residentMiB(server.pid);
    const slow = slowVisitors(sockets, "half-open");
    const { open, refused } = await slow.opened;
    expect({ open, refused }).toEqual({ open: sockets, refused: 0 });

    const fresh = await freshVisitors(slow.closed);
    const lives = await slow.closed;
    expect(lives).toHaveLength(sockets);
    expect(Math.max(...lives)).toBeLessThan(HEADERS_MS + TOLERANCE_MS);
    const [median, p99, longest] = [50, 99, 100].map((percent) => percentile(fresh, percent));
    console.info(
      `${sockets} half-open sockets: ${fresh.length} fresh GET /healthz, median ${ms(median)}, p99 ${ms(p99)}, ` +
        `longest ${ms(longest)} (p99 before: ${ms(idleP99)}); closed after ${ms(Math.max(...lives))} at most; ` +
        `memory +${residentMiB(server.pid) - memoryBefore} MiB`,
    );
    expect(p99).toBeLessThan(P99_MS + 3 * idleP99);
    expect(listFaults(server.output())).toEqual([]);
  });

  it("a body that drips in is cut off in time, and somebody else is served meanwhile (R14, C38)", async () => {
    const bystanders = startHelper<BystandersQuestion, BystandersAnswer>("../attack/bystanders.ts");
    onTestFinished(() => bystanders.stop());
    const stamp = await stampOfAPerson(server);
    const session = await logIn(server);
    const slow = slowVisitors(300, "slow-body");
    await slow.opened;
    const { signups, pages } = await bystanders.ask({ port: server.port, stamp, session, ms: 10_000 });
    expect([...new Set(signups.map(({ status }) => status))]).toEqual([303]);
    expect([...new Set(pages.map(({ status }) => status))]).toEqual([200]);
    expect(Math.max(...(await slow.closed))).toBeLessThan(BODY_MS + TOLERANCE_MS);
    expect(listFaults(server.output())).toEqual([]);
  });
});

function slowVisitors(sockets: number, kind: Slowness) {
  const file = fileURLToPath(new URL("./slow-visitors.ts", import.meta.url));
  const child = fork(file, [String(server.port), String(sockets), kind], {
    execPath: "node_modules/.bin/node",
    execArgv: [],
  });
  const reported = (wanted: "open" | "lives") =>
    new Promise<SlowReport>((resolve, reject) => {
      child.on("message", (report: SlowReport) => report[wanted] !== undefined && resolve(report));
      void once(child, "exit").then(() =>
        reject(new Error(`The slow visitors ended before they told of ${wanted}`)),
      );
    });
  const opened = reported("open");
  const closed = reported("lives").then(({ lives = [] }) => lives);
  return { opened, closed };
}

/**
 * Sends a request on a new connection every 20 ms until `end`, without waiting for earlier responses: a client
 * that waits sees a long stall only once.
 * @returns the response times in ms.
 */
async function freshVisitors(end: Promise<unknown>): Promise<number[]> {
  const times: Promise<number>[] = [];
  const asking = setInterval(() => {
    const time = timeOfGet();
    // Awaited below, all together.
    time.catch(() => undefined);
    times.push(time);
  }, 20);
  await end.finally(() => clearInterval(asking));
  return Promise.all(times);
}

function timeOfGet(): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: server.port, path: "/healthz", agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`/healthz answered ${answer.statusCode}`));
      answer.resume().once("end", () => resolve(performance.now() - began));
    }).once("error", reject);
  });
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? NaN;
}

const ms = (value = NaN) => `${value.toFixed(1)} ms`;

/**
 * Returns the file limit of this process, which its children inherit; without /proc, the limit that every
 * system allows.
 */
function fileLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 10_500);
  } catch {
    return 1024;
  }
}

function residentMiB(pid: number): number {
  try {
    return Math.round(
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    );
  } catch {
    return NaN;
  }
}
