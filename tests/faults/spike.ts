import { Agent } from "node:http";
import { serveCalls } from "../bench/helper-process.ts";
import { sendRequest } from "../bench/send-request.ts";

const EVERY_MS = 5;

/**
 * Sends requests at a fixed rate, however long the responses take: an overload, unlike clients that wait in a queue.
 * `times` are the response times in ms by status or error code; `perSecond` the responses by the same, from when the
 * server was full to the end of the spike.
 */
export async function sendSpike(input: {
  readonly port: number;
  readonly path: string;
  readonly perSecond: number;
  readonly ms: number;
  /** Time to fill the server, in ms: responses before it do not count in its rate. */
  readonly settleMs: number;
}) {
  const { port, path, ms, settleMs } = input;
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
  const times: Record<string, number[]> = {};
  const responses: Promise<void>[] = [];
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let atSettled: Record<string, number> | undefined;
  while (elapsed() < ms) {
    if (elapsed() >= settleMs) atSettled ??= countByStatus(times);
    while (responses.length < (elapsed() * input.perSecond) / 1000) responses.push(requestPage());
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  const seconds = (elapsed() - settleMs) / 1000;
  const rates = Object.entries(countByStatus(times)).map(([status, count]) => [
    status,
    (count - (atSettled?.[status] ?? 0)) / seconds,
  ]);
  const perSecondSent = (1000 * responses.length) / elapsed();
  await Promise.all(responses);
  agent.destroy();
  return { perSecondSent, times, perSecond: Object.fromEntries(rates) as Record<string, number> };

  async function requestPage(): Promise<void> {
    const startedAt = performance.now();
    const { status } = await sendRequest({ port, path, agent });
    (times[status] ??= []).push(performance.now() - startedAt);
  }
}

function countByStatus(times: Readonly<Record<string, readonly number[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).map(([status, { length }]) => [status, length]));
}

serveCalls(sendSpike);
