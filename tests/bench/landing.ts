import { execFile } from "node:child_process";
import { get } from "node:http";
import { promisify } from "node:util";
import { startServer } from "../server-process";
import type { BareAnswer, BareQuestion } from "./bare-http";
import { startHelper } from "./helper-process";
import type { LoadAnswer, LoadQuestion } from "./load";
import { compare } from "./rounds";
import type { Measured } from "./rounds";
import type { Comparison } from "./table";

const CLIENTS = 32;
const ROUND_SECONDS = 2;
const ROUNDS = { warmUps: 1, rounds: 6 };
const ENCODINGS = "gzip, deflate, br";
/** Node's own server sets these for each connection. */
const PER_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date"]);

const run = promisify(execFile);

/** GET / as a browser without a session asks for it. */
export async function compareLanding(): Promise<Comparison> {
  const server = await startServer();
  const bare = startHelper<BareQuestion, BareAnswer>("./bare-http.ts");
  const load = startHelper<LoadQuestion, LoadAnswer>("./load.ts");
  const page = await fetchRaw(server.port);
  const { port } = await bare.ask(page);
  const withWrk = await hasWrk();
  const ask = (target: number) => (withWrk ? askByWrk(target) : askByNode(load, target));

  const compared = await compare(
    { name: "the product", pid: server.pid, round: () => ask(server.port) },
    { name: "bare node:http, the same bytes", pid: bare.pid, round: () => ask(port) },
    ROUNDS,
  );
  await Promise.all([server.remove(), bare.stop(), load.stop()]);
  const kib = (Buffer.from(page.base64, "base64").length / 1024).toFixed(1);
  return {
    what: `GET / a second: ${CLIENTS} keep-alive clients, ${kib} KiB of body, asked by ${withWrk ? "wrk" : "a Node client"}`,
    ...compared,
    aim: undefined,
  };
}

function fetchRaw(port: number): Promise<BareQuestion> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/", headers: { "Accept-Encoding": ENCODINGS } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        const { rawHeaders } = answer;
        const names = rawHeaders.filter((_, index) => index % 2 === 0);
        const headers = names.flatMap((name, index) =>
          PER_CONNECTION.has(name.toLowerCase()) ? [] : [name, rawHeaders[index * 2 + 1] ?? ""],
        );
        resolve({ headers, base64: Buffer.concat(chunks).toString("base64") });
      });
    }).once("error", reject);
  });
}

async function askByWrk(port: number): Promise<Measured> {
  const { stdout } = await run("wrk", [
    ...["-t1", `-c${CLIENTS}`, `-d${ROUND_SECONDS}s`, "-H", `Accept-Encoding: ${ENCODINGS}`],
    `http://127.0.0.1:${port}/`,
  ]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, done] = /(\d+) requests in/.exec(stdout) ?? [];
  return { done: Number(done), perSecond: Number(perSecond) };
}

async function askByNode(
  load: { ask(q: LoadQuestion): Promise<LoadAnswer> },
  port: number,
): Promise<Measured> {
  const { answers, perSecond, others } = await load.ask({
    ...{ port, clients: CLIENTS, ms: ROUND_SECONDS * 1000, path: "/", from: 0, status: 200 },
  });
  if (Object.keys(others).length > 0) throw new Error(`Some answers: ${JSON.stringify(others)}`);
  return { done: answers, perSecond };
}

function hasWrk(): Promise<boolean> {
  // It has no option that only says its version: without a URL it explains itself and fails.
  return run("wrk").then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
