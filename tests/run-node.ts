import { execFile } from "node:child_process";
import { COMPILE_CACHE } from "./server-process";

/**
 * Runs Node.js with this environment beside PATH, and waits for its end.
 * @returns its exit code, or the signal that killed it, and what it printed, with errors as `output`.
 */
export function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number | string; stdout: string; output: string }> {
  const env = { NODE_ENV: "test", PATH: process.env.PATH, ...COMPILE_CACHE, ...environment };
  return new Promise((resolve) => {
    execFile("node_modules/.bin/node", args, { env: env as NodeJS.ProcessEnv }, (error, out, errors) =>
      resolve({ code: error?.signal ?? error?.code ?? 0, stdout: out, output: out + errors }),
    );
  });
}
