import { EnvironmentError, readEnvironment } from "../app/env.server.ts";
import type { Environment } from "../app/env.server.ts";
import { importAsViteDoes } from "./vite-imports.ts";

// A command imports this file first, and what it needs of app/ after that, by `await import`.
importAsViteDoes();

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

/** The database of this environment. A connection that is lost ends the command. */
export async function openSettingsDatabase({ DATABASE_URL: url, DATA_DIR: dataDir }: Environment) {
  const { openDatabase } = await import("../app/db/open-database.server.ts");
  return openDatabase({ url, dataDir, onError: (error) => leave(error.message) });
}

/** What an error says, for a sentence to the person at the terminal. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
