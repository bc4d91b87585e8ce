import { EnvironmentError, readEnvironment } from "../app/env.server.ts";
import type { Environment } from "../app/env.server.ts";

/** The environment for a command at the terminal, which ends with the sentences when it is not usable. */
export function settings(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    if (error instanceof EnvironmentError) leave(error.message);
    throw error;
  }
}

/** Ends the command as failed, with a sentence for the person at the terminal. */
export function leave(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
