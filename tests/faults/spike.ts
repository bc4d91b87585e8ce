import { Agent, get } from "node:http";
import { answerQuestions } from "../bench/helper-process.ts";

/**
 * Visitors who arrive at a fixed rate, however long others wait: an overload, unlike clients that wait in a
 * queue.
 */
export interface SpikeQuestion {
  readonly port: number;
  readonly path: string;
  readonly perSecond: number;
  readonly ms: number;
  /** Time to fill the server, in ms: responses before it do not count in its rate. */
  readonly settleMs: number;
}
export interface SpikeAnswer {
  readonly perSecondSent: number;
  /** Response times in ms by status or error code. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Responses a second by status or error code, from when the server was full to the end of the spike. */
  readonly perSecond: Readonly<Record<string, number>>;
}

const EVERY_MS = 5;

answerQuestions<SpikeQuestion, SpikeAnswer>(async ({ port, path, perSecond, ms, settleMs }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
  const times: Record<string, number[]> = {};
  const answers: Promise<void>[] = [];
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let atSettled: Record<string, number> | undefined;
  while (elapsed() < ms) {
    if (elapsed() >= settleMs) atSettled ??= countByStatus(times);
    while (answers.length < (elapsed() * perSecond) / 1000) answers.push(visit());
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  const seconds = (elapsed() - settleMs) / 1000;
  const rates = Object.entries(countByStatus(times)).map(([status, count]) => [
    status,
    (count - (atSettled?.[status] ?? 0)) / seconds,
  ]);
  const perSecondSent = (1000 * answers.length) / elapsed();
  await Promise.all(answers);
  agent.destroy();
  return { perSecondSent, times, perSecond: Object.fromEntries(rates) };

  async function visit(): Promise<void> {
    const came = performance.now();
    const status = await statusOf();
    (times[status] ??= []).push(performance.now() - came);
  }

  function statusOf(): Promise<number | string> {
    return new Promise((resolve) => {
      get({ host: "127.0.0.1", port, path, agent }, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      }).once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    });
  }
});

function countByStatus(times: Readonly<Record<string, readonly number[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).map(([status, { length }]) => [status, length]));
}
