import { setTimeout as pause } from "node:timers/promises";
import { startSmtpServer } from "../fakes/smtp-server.ts";
import { answerQuestions } from "./helper-process.ts";

export interface SinkQuestion {
  /** Number of emails since the start to wait for. */
  readonly mails: number;
}
export interface SinkAnswer {
  readonly url: string;
  readonly count: number;
  /** Arrival of the last one in epoch milliseconds, to within 1 ms. */
  readonly at: number;
}

const server = await startSmtpServer({ record: false });

answerQuestions<SinkQuestion, SinkAnswer>(async ({ mails }) => {
  while (server.count() < mails) await pause(1);
  return { url: server.url, count: server.count(), at: Date.now() };
});
