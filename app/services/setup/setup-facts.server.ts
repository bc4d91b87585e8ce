import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "~/env.server";
import { getDomain, isExampleDomain } from "~/lib/example-domain";
import { findSqlitePlaceProblem } from "~/db/sqlite-file.server";
import { getFileSystem } from "~/lib/network-file-system.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { probeOrigin, lookUpMailRecords, type MailRecords } from "./network-facts.server";
import { collectQuickFacts } from "./quick-facts.server";
import { collectDatabaseFacts } from "./database-facts.server";
import {
  collectDataFolderFacts,
  readGoogleKeyFile,
  getMode,
  hasPostgresPrograms,
  readPackage,
} from "./file-facts.server";
import { RedisGauge } from "~/services/resources/drivers/redis-gauge.server";

/** The program that `npm run check:deploy` is a part of, or that runs. */
export interface CheckedProgram {
  /** The folder of its sources. */
  readonly folder: string;
  /** The build, compared with its sources; unknown when they are not here. */
  readonly build: "missing" | "stale" | "current" | "unknown" | "running";
}

/** Of a domain that is not looked up. */
const NO_RECORDS: MailRecords = { hasSpf: undefined, hasDmarc: undefined };

/** The facts that the checks look at; an unknown one is undefined or says so. */
export type SetupFacts = Awaited<ReturnType<typeof collectSetupFacts>>;

/**
 * Collects the facts for the deployment checks, within some seconds even when upstreams do not answer. It changes
 * nothing.
 * @param backupFolder the folder of the backups; undefined: where the newest one went.
 */
export async function collectSetupFacts(
  environment: Environment,
  backupFolder: string | undefined,
  program: CheckedProgram,
) {
  const clock = Date.now;
  const { ORIGIN, DATA_DIR, MAIL_FROM } = environment;
  const dataFolder = await collectDataFolderFacts(DATA_DIR);
  // The start refuses such a place. SQLite's file is not even opened there: it could hang, or damage what another
  // machine writes.
  const placeProblem =
    environment.DATABASE_URL === undefined
      ? findSqlitePlaceProblem(DATA_DIR, dataFolder.fileSystem)
      : undefined;
  const isMailDomainChecked = environment.MAIL_DRIVER === "smtp" && !isExampleDomain(getDomain(MAIL_FROM));
  const [originResponse, database, hasTools, mailDomain, redis, googleKeyFile] = await Promise.all([
    ORIGIN === undefined ? undefined : probeOrigin(ORIGIN, clock),
    placeProblem
      ? ({ kind: "unreachable", problem: placeProblem } as const)
      : collectDatabaseFacts({
          place: { url: environment.DATABASE_URL, dataDir: DATA_DIR },
          hasher: new Argon2PasswordHasher(),
          clock,
          environmentPassword: environment.SUPERADMIN_PASSWORD,
        }),
    hasPostgresPrograms(),
    isMailDomainChecked ? lookUpMailRecords(getDomain(MAIL_FROM)) : NO_RECORDS,
    environment.REDIS_URL === undefined ? undefined : probeRedis(environment.REDIS_URL),
    readGoogleKeyFile(environment.GOOGLE_APPLICATION_CREDENTIALS),
  ]);
  const accounts = database.kind === "present" ? database.accounts : undefined;
  const hasDatabase = database.kind !== "none";
  const quick = await collectQuickFacts(environment, { clock, accounts, hasDatabase, backupFolder });
  return {
    ...quick,
    /** Undefined when it was not requested. */
    originResponse,
    database,
    dataFolder,
    backups: {
      ...quick.backups,
      /** Whether PostgreSQL's client programs are installed. */
      hasTools,
    },
    /** The records of MAIL_FROM's domain; its fields are undefined where DNS did not answer or was not asked. */
    mailDomain,
    /** Undefined without REDIS_URL. */
    redis,
    /** Undefined when it cannot be read. */
    googleKeyFile,
    program: {
      ...readPackage(program.folder),
      build: program.build,
      node: process.versions.node,
      openFiles: await getOpenFilesLimit(),
      isRoot: process.getuid?.() === 0,
      isInContainer: isInContainer(),
      envFileMode: await getMode(join(program.folder, ".env")),
    },
  };
}

/** Connects to Redis with the product's own timeouts and messages. */
async function probeRedis(url: string): Promise<{ problem: string | undefined }> {
  let problem = "no answer";
  const log = { warn: ({ err }: { err: string }) => (problem = err), info: () => undefined };
  const gauge = new RedisGauge({ url, log: log as ConstructorParameters<typeof RedisGauge>[0]["log"] });
  await gauge.read();
  // Waits for the measurement that `read` above did not wait for; its result is then known.
  await gauge.close();
  const { redis } = await gauge.read();
  return { problem: redis.isConnected ? undefined : problem };
}

/** Returns whether this runs in a container: Docker and Podman leave a file, the others an overlay as the root. */
function isInContainer(): boolean {
  const hasMarker = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));
  return hasMarker || getFileSystem("/") === "overlay";
}

/** Returns the open files limit of this process, which a server started in the same way has too. */
async function getOpenFilesLimit(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1];
  return soft === "unlimited" ? Infinity : soft === undefined ? undefined : Number(soft);
}
