import { rmSync } from "node:fs";
import { copyTables, putTablesBack } from "../put-back";
import { startServer, type ServerProcess } from "../server-process";
import { BEHIND_A_PROXY } from "./visitors";

let running: { server: ServerProcess; copy: string } | undefined;

/**
 * Returns the server, one for each worker, of the files without settings of their own; it trusts the address of
 * `someone()`. Its tables are restored and its output is empty; it ends with the worker, not by `remove`.
 */
export async function sharedServer(): Promise<ServerProcess> {
  const { server, copy } = (running ??= await start());
  if ((await server.fetch("/readyz").catch(() => undefined))?.status !== 200) await server.restart();
  await putTablesBack(server, copy);
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

async function start() {
  const server = await startServer(BEHIND_A_PROXY);
  // Vitest ends its workers by SIGTERM.
  process.once("SIGTERM", () => process.exit());
  process.once("exit", () => rmSync(server.dataDir, { recursive: true, force: true }));
  return { server, copy: copyTables(server) };
}
