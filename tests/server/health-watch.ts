import { once } from "node:events";
import { Agent, get } from "node:http";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

/**
 * Requests /healthz repeatedly from a thread of its own, because the test's own work must not count as the server's.
 * @returns a function that stops and returns the response times in milliseconds.
 */
export async function watchHealth(port: number): Promise<() => Promise<number[]>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port } });
  await once(worker, "message");
  return async () => {
    worker.postMessage("stop");
    const [times] = (await once(worker, "message")) as [number[]];
    await worker.terminate();
    return times;
  };
}

/** Requests /healthz over a keep-alive connection, as a load balancer does. */
function measure(agent: Agent, port: number): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get({ port, path: "/healthz", agent }, (answer) => {
      answer.resume().once("end", () => resolve(performance.now() - startedAt));
    }).once("error", reject);
  });
}

async function watch(port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await measure(agent, port);
  const times: number[] = [];
  let stopped = false;
  parentPort?.once("message", () => (stopped = true));
  parentPort?.postMessage("watching");
  while (!stopped) times.push(await measure(agent, port));
  agent.destroy();
  parentPort?.postMessage(times);
}

if (!isMainThread && workerData?.port) await watch(Number(workerData.port));
