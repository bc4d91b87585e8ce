import SqliteFile from "better-sqlite3";
import { beforeAll } from "vitest";
import { removeAfterTest, useFixture } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { createSession, type Session } from "./session";
import { sharedServer } from "./shared-server";
import { BEHIND_A_PROXY, databaseFile, someone } from "./visitors";

type Settings = Record<string, string>;

/**
 * Gives the tests of this `describe` a server that trusts the address of `someone()`: one of their own with these
 * settings, or without any the shared one.
 */
export function useServer(settings?: Settings | (() => Settings)): ServerProcess {
  return useFixture(async () => {
    if (!settings) return sharedServer();
    const own = typeof settings === "function" ? settings() : settings;
    return startServer({ ...BEHIND_A_PROXY, ...own });
  });
}

/** Logs the superadmin in before the tests of this `describe`. */
export function useSuperadmin(server: ServerProcess): Session {
  let cookie = "";
  beforeAll(async () => {
    cookie = await logIn(server, undefined, someone());
  });
  return createSession(server, () => cookie);
}

/** Locks the database as another process that writes does. @returns the function that unlocks it. */
export function lockDatabase(server: ServerProcess): () => void {
  const file = removeAfterTest(new SqliteFile(databaseFile(server)));
  file.exec("begin immediate");
  return () => void file.exec("commit");
}
