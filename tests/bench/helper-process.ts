import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Helper processes of the bench: a server, a sender and a load generator do not share one event loop. */

export interface Helper<Question, Answer> {
  readonly pid: number;
  /** Sends a question and resolves with its answer. One at a time. */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a helper process. @param file in this folder; Node runs it without a build. */
export function startHelper<Question extends object, Answer>(file: string): Helper<Question, Answer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] });
  const gone = once(child, "exit").then(() => {
    throw new Error(`${file} ended`);
  });
  gone.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ask: async (question) => {
      const answer = once(child, "message");
      child.send(question);
      const [value] = await Promise.race([answer, gone]);
      return value as Answer;
    },
    stop: async () => {
      child.kill();
      await gone.catch(() => undefined);
    },
  };
}

/** Answers the parent's questions in the helper process. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on("message", (question) => {
    void answer(question as Question).then((value) => process.send?.(value));
  });
}
