import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SERVER_COMMAND } from "../scripts/server-command.mjs";
import { freePort } from "../scripts/free-port.mjs";
import { testDatabase } from "./databases";
import type { TemplateDatabase } from "./databases";

export const SUPERADMIN = { email: "superadmin@example.com", password: "correct horse battery" };

/** Whoever is left when the tests' process ends is ended with it. */
const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** For a start, which takes a second where nothing else runs. */
const PATIENCE_MS = 45_000;

/** In the environment of a process of ours: a fifth of each start is else reading the same code again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: ".cache/compiled" };

/** The built product as its users run it: a process of its own, on its own port and data folder. */
export interface ServerProcess {
  readonly origin: string;
  readonly port: number;
  readonly dataDir: string;
  /** Where its data is if that is not the SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly pid: number;
  /** Everything it has written so far. */
  output(): string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Asks it to end, as a deploy would; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Starts it again on the same port and data. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts the built server and resolves when it is ready. The environment is exactly what is given: nothing leaks in but TEST_HASHING.
 * Without SUPERADMIN_PASSWORD the superadmin has SUPERADMIN.password, which is not temporary.
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
        throw new Error(`The server did not get ready:\n${written}`);
      }
      const ready = await fetch(`${origin}/readyz`).then(
        (answer) => answer.status,
        () => 0,
      );
      if (ready === 200) return;
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

/** A data folder with an empty database: migrating each by itself and setting space aside is a quarter of a start. */
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

/** A form post as a browser of this site makes it. */
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

/** Logs the superadmin in; resolves with the Cookie header of the session. */
export async function logIn(
  server: ServerProcess,
  password = SUPERADMIN.password,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await server.fetch("/login", formPost({ email: SUPERADMIN.email, password }, headers));
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (answer.status !== 303 || !cookie) throw new Error(`Login answered ${answer.status}`);
  return cookie;
}
