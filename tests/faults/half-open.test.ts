import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { getResidentMiB } from "../bench/measurement";
import { sendRequest } from "../bench/send-request";
import { useFixture } from "../fixture";
import { startServer } from "../server-process";
import { measureMs, quantile } from "../server/visitors";
import { listFaults } from "./ledger";
import type { SlowReport } from "./slow-visitors";

/** Timeout of R14, plus the delay that timers of three processes may add on a busy machine. */
const HEADERS_MS = 15_000;
const TOLERANCE_MS = 2500;
const P99_MS = 150;
/** Files that a process needs besides these sockets. */
const OTHER_FILES = 500;

const server = useFixture(() => startServer());
/** Response time of the idle server on this machine, which may be busy with other work. */
let idleP99: number;
beforeAll(async () => {
  idleP99 = quantile(await measureFreshVisitors(pause(3000)), 0.99);
});

// R14
it("thousands of half-open connections delay nobody and are closed in time", async () => {
  const sockets = Math.min(10_000, getFileLimit() - OTHER_FILES);
  const memoryBefore = getResidentMiB(server.pid);
  const slow = startSlowVisitors(sockets);
  const { open, refused } = await slow.opened;
  expect({ open, refused }).toEqual({ open: sockets, refused: 0 });

  const fresh = await measureFreshVisitors(slow.closed);
  const lives = await slow.closed;
  expect(lives).toHaveLength(sockets);
  expect(Math.max(...lives)).toBeLessThan(HEADERS_MS + TOLERANCE_MS);
  const [median, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(fresh, share));
  console.info(
    `${sockets} half-open sockets: ${fresh.length} fresh GET /healthz, median ${ms(median)}, p99 ${ms(p99)}, ` +
      `longest ${ms(longest)} (p99 before: ${ms(idleP99)}); closed after ${ms(Math.max(...lives))} at most; ` +
      `memory +${(getResidentMiB(server.pid) - memoryBefore).toFixed(0)} MiB`,
  );
  expect(p99).toBeLessThan(P99_MS + 3 * idleP99);
  expect(listFaults(server.output())).toEqual([]);
});

function startSlowVisitors(sockets: number) {
  const file = fileURLToPath(new URL("./slow-visitors.ts", import.meta.url));
  const child = fork(file, [String(server.port), String(sockets)], {
    execPath: "node_modules/.bin/node",
    execArgv: [],
  });
  const awaitReport = (field: "open" | "lives") =>
    new Promise<SlowReport>((resolve, reject) => {
      child.on("message", (report: SlowReport) => report[field] !== undefined && resolve(report));
      void once(child, "exit").then(() =>
        reject(new Error(`The slow visitors ended before they reported ${field}`)),
      );
    });
  const opened = awaitReport("open");
  const closed = awaitReport("lives").then(({ lives = [] }) => lives);
  return { opened, closed };
}

/**
 * Sends a request on a new connection every 20 ms until `end`, without waiting for earlier responses: a client
 * that waits sees a long stall only once.
 * @returns the response times in ms.
 */
async function measureFreshVisitors(end: Promise<unknown>): Promise<number[]> {
  const times: Promise<number>[] = [];
  const timer = setInterval(() => {
    const time = measureGet();
    // Awaited below, all together.
    time.catch(() => undefined);
    times.push(time);
  }, 20);
  await end.finally(() => clearInterval(timer));
  return Promise.all(times);
}

const measureGet = () =>
  measureMs(async () => {
    const { status } = await sendRequest({ port: server.port, path: "/healthz", agent: false });
    if (status !== 200) throw new Error(`/healthz responded ${status}`);
  });

const ms = (value = NaN) => `${value.toFixed(1)} ms`;

/**
 * Returns the file limit of this process, which its children inherit; without /proc, the limit that every
 * system allows.
 */
function getFileLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 10_500);
  } catch {
    return 1024;
  }
}
