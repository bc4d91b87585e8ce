import { beforeAll } from "vitest";
import { useFixture } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { createSession, type Session } from "./session";
import { sharedServer } from "./shared-server";
import { BEHIND_A_PROXY, someone } from "./visitors";

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
