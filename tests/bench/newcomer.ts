import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { machinePath } from "../../scripts/child-process.mjs";
import { freePort } from "../../scripts/free-port.mjs";
import { figure, type Figure } from "./measurement";
import { isServing } from "./peer";
import { temporaryFolder } from "../temporary-folder";

const ROUNDS = 3;
const AIMS = { startSeconds: 60, testSeconds: 480 };
const POLL_MS = 100;

/**
 * Measures a newcomer's waits: `npm start` to the first response and `npm test` to its end, each from a fresh
 * clone of the current commit, with npm's cache as it is. It takes half an hour and the whole machine, so it
 * runs only when it is named.
 */
export async function measureNewcomer(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const start = await inFreshClone(measureFirstResponse);
    console.info(`npm start, run ${round}: ${start.toFixed(1)} s`);
    figures.push(figure(`npm start from a fresh clone, run ${round}`, start, "s", AIMS.startSeconds));
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { seconds, outcome } = await inFreshClone(measureTests);
    // Printed at once: a later failure would lose the result.
    console.info(`npm test, run ${round}: ${seconds.toFixed(1)} s, ${outcome}`);
    figures.push(figure(`npm test, run ${round}: ${outcome}`, seconds, "s", AIMS.testSeconds));
  }
  return figures;
}

async function inFreshClone<T>(measure: (folder: string) => Promise<T>): Promise<T> {
  const parent = temporaryFolder();
  const folder = join(parent, "frontdesk");
  execFileSync("git", ["clone", "--quiet", process.cwd(), folder]);
  try {
    return await measure(folder);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function npm(folder: string, args: string[], more: Record<string, string> = {}) {
  const env = { ...process.env, PATH: machinePath(process.cwd()), ...more };
  return spawn("npm", args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
}

async function measureFirstResponse(folder: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const product = npm(folder, ["start"], { PORT: String(port), HOST: "127.0.0.1" });
  product.stdout.resume();
  const ended = once(product, "exit");
  while (product.exitCode === null && !(await isServing(`http://localhost:${port}/`))) await pause(POLL_MS);
  const seconds = (performance.now() - began) / 1000;
  if (product.exitCode !== null) throw new Error(`npm start ended with ${product.exitCode}`);
  product.kill("SIGTERM");
  await ended;
  return seconds;
}

async function measureTests(folder: string): Promise<{ seconds: number; outcome: string }> {
  const began = performance.now();
  const tests = npm(folder, ["test"]);
  let output = "";
  tests.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(tests, "exit")) as [number | null];
  const seconds = (performance.now() - began) / 1000;
  const outcome = output.trimEnd().split("\n").at(-1) ?? "";
  // The end of the output names the tests that failed; the run counts as it is, and the next one goes on.
  if (code !== 0) console.error(`npm test ended with ${code}:\n${output.slice(-4000)}`);
  return { seconds, outcome };
}
