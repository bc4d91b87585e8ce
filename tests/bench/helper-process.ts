import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Helper processes of the bench: a server, a sender and a load generator do not share one event loop. */

/** The function that a helper process serves. */
type Handler = (input: never) => Promise<unknown>;

export interface Helper<Served extends Handler> {
  readonly pid: number;
  /** Calls the helper's function. One call at a time. */
  call(input: Parameters<Served>[0]): ReturnType<Served>;
  stop(): Promise<void>;
}

/**
 * Starts a helper process.
 * @param file in this folder; Node runs it without a build.
 * @param environment variables beside those of this process.
 */
export function startHelper<Served extends Handler>(
  file: string,
  environment: Record<string, string> = {},
): Helper<Served> {
  const env = { ...process.env, ...environment };
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [], env });
  const exited = once(child, "exit").then(() => {
    throw new Error(`${file} ended`);
  });
  exited.catch(() => undefined);
  const call = async (input: Parameters<Served>[0]) => {
    const result = once(child, "message");
    child.send(input);
    const [value] = await Promise.race([result, exited]);
    return value;
  };
  return {
    pid: child.pid ?? 0,
    call: (input) => call(input) as ReturnType<Served>,
    stop: async () => {
      child.kill();
      await exited.catch(() => undefined);
    },
  };
}

/** Serves the parent's calls in the helper process, which ends when the function throws. */
export function serveCalls<Input>(handler: (input: Input) => Promise<unknown>): void {
  process.on("message", (input) => {
    void handler(input as Input).then((value) => process.send?.(value));
  });
}
