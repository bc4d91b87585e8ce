import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SERVER_COMMAND } from "../scripts/server-command.mjs";
import { freePort } from "../scripts/free-port.mjs";
import { testDatabase, type TemplateDatabase } from "./databases";

export const SUPERADMIN = { email: "superadmin@example.com", password: "correct horse battery" };

/** Children still running when the tests' process exits are killed with it. */
const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** Timeout of a start, which takes a second on an idle machine. */
const PATIENCE_MS = 45_000;

/** Environment variables that cache compiled code: compilation would be a fifth of each start. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: ".cache/compiled" };

/** The built product in its own process, with its own port and data folder. */
export interface ServerProcess {
  readonly origin: string;
  readonly port: number;
  readonly dataDir: string;
  /** URL of its database; undefined with the SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly pid: number;
  /** Returns its output so far. */
  output(): string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Stops it by SIGTERM, as a deploy would; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Kills it and starts it again on the same port and data. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts the built server and resolves when it is ready, with PATH and TEST_HASHING of the tests' own
 * environment. Without SUPERADMIN_PASSWORD the superadmin has SUPERADMIN.password, which is not temporary.
 */
export async function startServer(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = environment.DATA_DIR ?? (await newDataFolder());
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  let written = "";
  let child: ChildProcess;

  async function start(more: Record<string, string> = {}): Promise<void> {
    child = spawn("node_modules/.bin/node", ["--import=./tests/quick-hashing.mjs", ...SERVER_COMMAND], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        ...COMPILE_CACHE,
        HOST: "127.0.0.1",
        PORT: String(port),
        DATA_DIR: dataDir,
        SUPERADMIN_PASSWORD: SUPERADMIN.password,
        TEST_HASHING: process.env.TEST_HASHING,
        ...environment,
        ...more,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    child.stdout?.on("data", (chunk: Buffer) => (written += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (written += chunk.toString()));
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The server ended while starting:\n${written}`);
      if (Date.now() > deadline) {
        await end("SIGKILL");
        throw new Error(`The server did not become ready:\n${written}`);
      }
      const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      await pause(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    children.delete(child);
    return child.exitCode;
  }

  await start();
  return {
    origin,
    port,
    dataDir,
    databaseUrl: environment.DATABASE_URL,
    get pid() {
      return child.pid ?? 0;
    },
    output: () => written,
    fetch: (path, init) => fetch(origin + path, { redirect: "manual", ...init }),
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    restart: async (more) => {
      await end("SIGKILL");
      await start(more);
    },
    remove: async () => {
      await end("SIGTERM");
      if (!environment.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let migrated: Promise<TemplateDatabase> | undefined;

/** Creates a data folder with an empty database: migrating it and reserving space would be a quarter of a start. */
async function newDataFolder(): Promise<string> {
  migrated ??= migratedDatabase();
  return (await (await migrated).copy()).environment.DATA_DIR;
}

async function migratedDatabase(): Promise<TemplateDatabase> {
  const database = await testDatabase("sqlite");
  const { DATA_DIR } = database.environment;
  process.once("exit", () => rmSync(DATA_DIR, { recursive: true, force: true }));
  await (await database.open()).close();
  writeFileSync(join(DATA_DIR, "disk-reserve"), "");
  return database;
}

/** Makes a form post as a browser on this site sends it. */
export function formPost(
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): RequestInit {
  return {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "Sec-Fetch-Site": "same-origin", ...headers },
  };
}

/** Logs the superadmin in and resolves with the Cookie header of the session. */
export async function logIn(
  server: Pick<ServerProcess, "fetch">,
  password = SUPERADMIN.password,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await server.fetch("/login", formPost({ email: SUPERADMIN.email, password }, headers));
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (answer.status !== 303 || !cookie) throw new Error(`Login answered ${answer.status}`);
  return cookie;
}
