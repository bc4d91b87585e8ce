import { get } from "node:http";
import { startServer } from "../server-process";
import type { RawResponse, setResponses } from "./bare-http";
import { figure, getMedian } from "./measurement";
import { startHelper } from "./helper-process";
import type { Measurement } from "./results";
import type { generateLoad } from "./load";
import { compare, pickMedian, toSide, type Comparison, type Measured } from "./rounds";
import { hasWrk, measureByWrk } from "./wrk";

const CLIENTS = 64;
const ROUND_SECONDS = 1;
const STARTS = 5;
/** The product's rate over bare node:http's: at most a third of what it takes is added by the guard. */
const RATIO = 0.75;
const ROUNDS = { warmUps: 2, rounds: 6, aim: RATIO };
/** The time for 99 of 100 responses over bare node:http's. */
const P99_RATIO = 1.5;
const ENCODINGS = "gzip, deflate, br";
/** Headers that Node's server sets for each connection. */
const PER_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date"]);

type Fetched = RawResponse & { readonly status: number };

interface Start {
  readonly comparison: Comparison;
  /** Milliseconds within which 99 of 100 requests were answered; undefined without wrk, which measures them. */
  readonly p99: { readonly product: number; readonly bare: number } | undefined;
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
  return [...pickMedians("GET /", full), ...pickMedians("GET / answered 304", notModified)];
}

function pickMedians(what: string, starts: readonly Start[]): Measurement[] {
  const p99s = starts
    .flatMap(({ p99 }) => p99 ?? [])
    .toSorted((one, other) => one.product / one.bare - other.product / other.bare);
  const times = p99s.map(({ product, bare }) => `${product.toFixed(1)} (bare ${bare.toFixed(1)})`).join(", ");
  console.info(`${what}: 99 of 100 within ${times} ms.`);
  const at = Math.floor(p99s.length / 2);
  const within = `${what}, 99 of 100 responses to ${CLIENTS} clients within (aim: ${P99_RATIO} of bare node:http's)`;
  return [
    pickMedian(starts.map(({ comparison }) => comparison)),
    ...p99s.slice(at, at + 1).map(({ product, bare }) => {
      const atMost = Math.round(P99_RATIO * bare * 10) / 10;
      return figure(within, product, "ms", atMost);
    }),
  ];
}

async function compareOneStart(): Promise<{ full: Start; notModified: Start }> {
  const server = await startServer();
  const bare = startHelper<typeof setResponses>("./bare-http.ts");
  const load = startHelper<typeof generateLoad>("./load.ts");
  const withWrk = await hasWrk();

  async function comparePage(
    what: string,
    headers: Record<string, string>,
    { status, base64 }: Fetched,
  ): Promise<Start> {
    const ms = ROUND_SECONDS * 1000;
    const p99s = { product: [] as number[], bare: [] as number[] };
    const measure = async (target: number): Promise<Measured> => {
      if (!withWrk) return load.call({ port: target, clients: CLIENTS, ms, path: "/", status, headers });
      const { p99, ...measured } = await measureByWrk(target, {
        clients: CLIENTS,
        seconds: ROUND_SECONDS,
        headers,
      });
      p99s[target === port ? "bare" : "product"].push(p99);
      return measured;
    };
    const kib = (Buffer.from(base64, "base64").length / 1024).toFixed(1);
    const clients = `${CLIENTS} keep-alive clients, ${kib} KiB of body, sent by ${withWrk ? "wrk" : "a Node client"}`;
    const comparison = await compare(
      `${what} a second: ${clients}`,
      toSide("the product", server, () => measure(server.port)),
      toSide("bare node:http, the same bytes", bare, () => measure(port)),
      ROUNDS,
    );
    const p99 = withWrk ? { product: getMedian(p99s.product), bare: getMedian(p99s.bare) } : undefined;
    return { comparison, p99 };
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
