import { EnvironmentError, readEnvironment, type Environment } from "../app/env.server.ts";
import { importAsViteDoes } from "./vite-imports.ts";

// A command imports this file first, and modules of app/ after it, by `await import`.
importAsViteDoes();

/** Returns the environment; exits with its messages when it is invalid. */
export function readSettings(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    if (error instanceof EnvironmentError) fail(error.message);
    throw error;
  }
}

/** Exits with 1 after a message for the user. */
export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Opens the database of this environment. A database that cannot be used and a lost connection end the command. */
export async function openSettingsDatabase({ DATABASE_URL: url, DATA_DIR: dataDir }: Environment) {
  const { openDatabase } = await import("../app/db/open-database.server.ts");
  return openDatabase({ url, dataDir, onError: (error) => fail(error.message) }).catch(failIfUnusable);
}

/** Creates DATA_DIR; one that cannot be used ends the command. */
export async function createSettingsFolder({ DATA_DIR }: Environment): Promise<void> {
  const { createDataFolder } = await import("../app/db/data-folder.server.ts");
  try {
    createDataFolder(DATA_DIR);
  } catch (error) {
    await failIfUnusable(error);
  }
}

async function failIfUnusable(error: unknown): Promise<never> {
  const { UnusableDatabaseError } = await import("../app/db/unusable-database.ts");
  if (error instanceof UnusableDatabaseError) fail(error.message);
  throw error;
}
