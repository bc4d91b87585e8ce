import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "../../scripts/free-port.mjs";
import { SUPERADMIN } from "../server-process";
import { installPeer, runIn, startPeer } from "./peer";

/** The product before its pages were made lighter: the last commit of 2026-11-23. */
export const EARLIER = "2f15cbd";

const SUPERADMIN_PASSWORD = SUPERADMIN.password;

/** Builds the earlier commit in a clone of its own. @throws in a clone without its history, too. */
export function installEarlier(): string {
  return installPeer(EARLIER, (folder) => {
    runIn(folder, ["git", "clone", "--quiet", "--no-checkout", process.cwd(), "."]);
    runIn(folder, ["git", "checkout", "--quiet", EARLIER]);
    runIn(folder, ["node", "scripts/prepare.mjs"]);
  });
}

/** Fills an empty data folder with 90 days of fictional data, by the seed of the product in `folder`. */
export function seedBy(folder: string, dataDir: string): void {
  const command = ["node_modules/.bin/node", "scripts/seed.ts", "--size", "large"];
  runIn(folder, command, { DATA_DIR: dataDir, SUPERADMIN_PASSWORD });
}

/** Starts the earlier commit as it was started by its own tests. */
export async function startEarlier(folder: string, dataDir: string) {
  const { SERVER_COMMAND } = (await import(
    pathToFileURL(join(folder, "scripts/server-command.mjs")).href
  )) as { SERVER_COMMAND: string[] };
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const { pid, stop } = await startPeer(`${origin}/readyz`, "node_modules/.bin/node", SERVER_COMMAND, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: dataDir,
      SUPERADMIN_PASSWORD,
    },
    stdio: "ignore",
  });
  return {
    port,
    pid,
    fetch: (path: string, init?: RequestInit) => fetch(origin + path, { redirect: "manual", ...init }),
    stop,
  };
}
