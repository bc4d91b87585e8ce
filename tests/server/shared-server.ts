import SqliteFile from "better-sqlite3";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, databaseFile } from "./visitors";

let running: ServerProcess | undefined;

/**
 * The server of the files that need no settings of their own, one for each worker; it believes the address that `someone()`
 * gives. Whoever asks for it finds its data as after its start, sessions gone and tables back, and its output empty. It ends with
 * the worker, not by `remove`.
 */
export async function sharedServer(): Promise<ServerProcess> {
  const server = (running ??= await start());
  if ((await server.fetch("/readyz").catch(() => undefined))?.status !== 200) await server.restart();
  await putBack(server);
  const begin = server.output().length;
  return {
    ...server,
    get pid() {
      return server.pid;
    },
    output: () => server.output().slice(begin),
    remove: async () => undefined,
  };
}

async function start(): Promise<ServerProcess> {
  const server = await startServer(BEHIND_A_PROXY);
  // Vitest ends its workers by SIGTERM.
  process.once("SIGTERM", () => process.exit());
  process.once("exit", () => rmSync(server.dataDir, { recursive: true, force: true }));
  await copy(databaseFile(server), asStarted(server));
  return server;
}

/** The server sees it as a change by another instance. */
const putBack = (server: ServerProcess) => copy(asStarted(server), databaseFile(server));

const asStarted = (server: ServerProcess) => join(server.dataDir, "as-started.db");

async function copy(from: string, to: string): Promise<void> {
  const file = new SqliteFile(from, { readonly: true });
  await file.backup(to);
  file.close();
}
