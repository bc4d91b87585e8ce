import { once } from "node:events";
import { Agent, request } from "node:http";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

interface Guessers {
  readonly port: number;
  /** Number of concurrent loops, each of which guesses again once answered. */
  readonly loops: number;
  /** Number of networks that the loops come from. */
  readonly networks: number;
}

/**
 * Guesses passwords of unknown addresses in a thread of its own, because in the test's thread its work would count as the
 * server's. The server must trust X-Forwarded-For (BEHIND_A_PROXY). @returns a function that stops it, also when called again,
 * and resolves with the number of guesses by response status.
 */
export async function startGuessing(guessers: Guessers): Promise<() => Promise<Record<number, number>>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { guessers } });
  await once(worker, "message");
  let ended: Promise<Record<number, number>> | undefined;
  return () => (ended ??= end());

  async function end(): Promise<Record<number, number>> {
    worker.postMessage("stop");
    const [statuses] = (await once(worker, "message")) as [Record<number, number>];
    await worker.terminate();
    return statuses;
  }
}

function guess(agent: Agent, port: number, email: string, network: number): Promise<number> {
  const body = String(new URLSearchParams({ email, password: "a guess" }));
  const headers = {
    "X-Forwarded-For": `198.18.${network}.1`,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: "/login", method: "POST", agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject).end(body);
  });
}

async function guessOn({ port, loops, networks }: Guessers): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const statuses: Record<number, number> = {};
  let isStopped = false;
  parentPort?.once("message", () => (isStopped = true));
  const running = Array.from({ length: loops }, async (_, loop) => {
    for (let tries = 1; !isStopped; tries += 1) {
      const status = await guess(agent, port, `guess-${loop}-${tries}@example.com`, loop % networks);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (loop === 0 && tries === 1) parentPort?.postMessage("guessing");
    }
  });
  await Promise.all(running);
  agent.destroy();
  parentPort?.postMessage(statuses);
}

if (!isMainThread && workerData?.guessers) await guessOn(workerData.guessers as Guessers);
