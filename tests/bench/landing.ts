import { execFile } from "node:child_process";
import { get } from "node:http";
import { promisify } from "node:util";
import { startServer } from "../server-process";
import type { RawResponse, setResponses } from "./bare-http";
import { figure, getMedian } from "./measurement";
import { startHelper } from "./helper-process";
import type { Measurement } from "./results";
import type { generateLoad } from "./load";
import { pinLoad, pinServer } from "./processors";
import { compare } from "./rounds";
import type { Comparison, Measured } from "./rounds";

const CLIENTS = 64;
const ROUND_SECONDS = 1;
const ROUNDS = { warmUps: 2, rounds: 6 };
/**
 * Number of starts to measure: two processes of the same program differ by a third, depending on their memory
 * layout.
 */
const STARTS = 5;
/** Limit for 99 of 100 responses. */
const P99_MS = 50;
const ENCODINGS = "gzip, deflate, br";
/** Headers that Node's server sets for each connection. */
const PER_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date"]);

const run = promisify(execFile);

type Fetched = RawResponse & { readonly status: number };

interface Start {
  readonly comparison: Comparison;
  /**
   * Milliseconds within which the product answered 99 of 100 requests; undefined without wrk, which measures
   * it.
   */
  readonly p99: number | undefined;
}

/**
 * Compares GET / as a browser without a session sends it: the whole page, and the revalidation of a stored copy.
 * @returns the median of several starts of both servers, by ratio.
 */
export async function compareLanding(): Promise<Measurement[]> {
  const full: Start[] = [];
  const notModified: Start[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const compared = await compareOneStart();
    full.push(compared.full);
    notModified.push(compared.notModified);
  }
  return [...pickMedian("GET /", full), ...pickMedian("GET / answered 304", notModified)];
}

function pickMedian(what: string, starts: readonly Start[]): Measurement[] {
  const sorted = starts.map(({ comparison }) => comparison).toSorted((one, other) => one.ratio - other.ratio);
  const ratios = sorted.map(({ ratio }) => ratio.toFixed(2)).join(", ");
  const p99s = starts.flatMap(({ p99 }) => p99 ?? []);
  console.info(`${what}: the ratio of each start ${ratios}; 99 of 100 within ${p99s.join(", ")} ms.`);
  const at = Math.floor(sorted.length / 2);
  const within = `${what}, 99 of 100 responses to ${CLIENTS} clients within`;
  return [
    ...sorted.slice(at, at + 1),
    ...(p99s.length > 0 ? [figure(within, getMedian(p99s), "ms", P99_MS)] : []),
  ];
}

async function compareOneStart(): Promise<{ full: Start; notModified: Start }> {
  const server = await startServer();
  const bare = startHelper<typeof setResponses>("./bare-http.ts");
  const load = startHelper<typeof generateLoad>("./load.ts");
  const withWrk = await hasWrk();
  await Promise.all([pinServer(server.pid), pinServer(bare.pid)]);

  async function comparePage(
    what: string,
    headers: Record<string, string>,
    { status, base64 }: Fetched,
  ): Promise<Start> {
    const ms = ROUND_SECONDS * 1000;
    const measure = (target: number) =>
      withWrk
        ? measureByWrk(target, headers)
        : load.call({ port: target, clients: CLIENTS, ms, path: "/", status, headers });
    const compared = await compare(
      { name: "the product", pid: server.pid, round: () => measure(server.port) },
      { name: "bare node:http, the same bytes", pid: bare.pid, round: () => measure(port) },
      ROUNDS,
    );
    const p99 = withWrk ? await measureP99ByWrk(server.port, headers) : undefined;
    const kib = (Buffer.from(base64, "base64").length / 1024).toFixed(1);
    const clients = `${CLIENTS} keep-alive clients, ${kib} KiB of body, sent by ${withWrk ? "wrk" : "a Node client"}`;
    return { comparison: { what: `${what} a second: ${clients}`, ...compared, aim: 0.7 }, p99 };
  }

  const encodings = { "Accept-Encoding": ENCODINGS };
  // The first request renders the page that all later ones get from the cache.
  await fetchRaw(server.port, encodings);
  const conditional = { ...encodings, "If-None-Match": "*" };
  const pages = {
    full: await fetchRaw(server.port, encodings),
    notModified: await fetchRaw(server.port, conditional),
  };
  const { port } = await bare.call(pages);
  const full = await comparePage("GET /", encodings, pages.full);
  const notModified = await comparePage("GET / answered 304", conditional, pages.notModified);
  await Promise.all([server.remove(), bare.stop(), load.stop()]);
  return { full, notModified };
}

const MS_OF: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

async function measureP99ByWrk(port: number, headers: Record<string, string>): Promise<number> {
  const stdout = await wrk(port, headers, ["--latency", `-c${CLIENTS}`]);
  const [, value, unit = ""] = /^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  return Number(value) * (MS_OF[unit] ?? NaN);
}

function fetchRaw(port: number, requestHeaders: Record<string, string>): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/", headers: requestHeaders }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const { rawHeaders } = response;
        const names = rawHeaders.filter((_, index) => index % 2 === 0);
        const headers = names.flatMap((name, index) =>
          PER_CONNECTION.has(name.toLowerCase()) ? [] : [name, rawHeaders[index * 2 + 1] ?? ""],
        );
        resolve({
          status: response.statusCode ?? 0,
          headers,
          base64: Buffer.concat(chunks).toString("base64"),
        });
      });
    }).once("error", reject);
  });
}

async function measureByWrk(port: number, headers: Record<string, string>): Promise<Measured> {
  const stdout = await wrk(port, headers, [`-c${CLIENTS}`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, done] = /(\d+) requests in/.exec(stdout) ?? [];
  return { done: Number(done), perSecond: Number(perSecond) };
}

async function wrk(port: number, headers: Record<string, string>, options: string[]): Promise<string> {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const url = `http://127.0.0.1:${port}/`;
  const args = ["-t1", `-d${ROUND_SECONDS}s`, ...options, ...headerOptions, url];
  const { stdout } = await run(...(await pinLoad("wrk", args)));
  return stdout;
}

function hasWrk(): Promise<boolean> {
  // wrk has no option that only prints its version: without a URL it prints its usage and fails.
  return run("wrk").then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
