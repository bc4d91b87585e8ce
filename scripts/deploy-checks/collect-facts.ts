import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "~/env.server";
import { getDomain, isExampleDomain } from "~/lib/example-domain";
import { isNetworkFileSystem } from "~/lib/network-file-system.server";
import { createSessionCookie } from "~/services/access/session-cookie.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import type { Clock } from "~/services/clock";
import { getOrigin } from "~/services/composition/foundation.server";
import { askOrigin, lookUpMailRecords } from "./ask-outside";
import type { DatabaseFacts, DeployFacts, ProgramFacts } from "./deploy-check";
import { lookAtDatabase } from "./look-at-database";
import { lookAtBackups, lookAtDataFolder, lookAtGoogleKeyFile, modeOf, readPackage } from "./look-at-files";
import { RedisGauge } from "~/services/resources/drivers/redis-gauge.server";

/**
 * Collects the facts for the deployment checks, within some seconds even when upstreams do not answer. It changes
 * nothing.
 */
export async function collectDeployFacts(
  environment: Environment,
  deps: {
    /** The folder of package.json. */
    root: string;
    /** The folder of the backups. */
    backups: string;
    build: ProgramFacts["build"];
    clock: Clock;
    processEnvironment: NodeJS.ProcessEnv;
  },
): Promise<DeployFacts> {
  const { clock } = deps;
  const { ORIGIN, DATA_DIR, MAIL_FROM } = environment;
  const origin = getOrigin(environment);
  const dataFolder = await lookAtDataFolder(DATA_DIR);
  const isMailDomainAsked = environment.MAIL_DRIVER === "smtp" && !isExampleDomain(getDomain(MAIL_FROM));
  const [answerAtOrigin, database, backups, mailDomain, redis, googleKeyFile] = await Promise.all([
    ORIGIN === undefined ? undefined : askOrigin(ORIGIN, clock),
    databaseOf(environment, dataFolder.fileSystem, clock),
    lookAtBackups(deps.backups, DATA_DIR, deps.processEnvironment),
    isMailDomainAsked ? lookUpMailRecords(getDomain(MAIL_FROM)) : { hasSpf: undefined, hasDmarc: undefined },
    environment.REDIS_URL === undefined ? undefined : askRedis(environment.REDIS_URL),
    lookAtGoogleKeyFile(environment.GOOGLE_APPLICATION_CREDENTIALS),
  ]);
  const secure = origin.startsWith("https:");
  return {
    now: clock(),
    settings: environment,
    origin,
    answerAtOrigin,
    database,
    dataFolder,
    backups,
    mailDomain,
    redis,
    googleKeyFile,
    sessionCookie: await createSessionCookie({ secret: "of nobody", secure }).issue("of nobody"),
    program: {
      ...readPackage(deps.root),
      build: deps.build,
      node: process.versions.node,
      openFiles: await openFiles(),
      isRoot: process.getuid?.() === 0,
      envFileMode: await modeOf(join(deps.root, ".env")),
    },
  };
}

/**
 * Inspects the database. On a network file system SQLite's file is not even opened: it could hang, or damage what
 * another machine writes.
 */
async function databaseOf(
  { DATABASE_URL: url, DATA_DIR: dataDir, SUPERADMIN_PASSWORD: givenPassword }: Environment,
  fileSystem: string | undefined,
  clock: Clock,
): Promise<DatabaseFacts> {
  if (url === undefined && isNetworkFileSystem(fileSystem ?? "")) {
    return { kind: "away", trouble: `it lies on ${fileSystem} and was left alone` };
  }
  return lookAtDatabase({
    place: { url, dataDir },
    hasher: new Argon2PasswordHasher(),
    clock,
    givenPassword,
  });
}

/** Connects to Redis with the product's own timeouts and messages. */
async function askRedis(url: string): Promise<DeployFacts["redis"]> {
  let words = "no answer";
  const log = { warn: ({ err }: { err: string }) => (words = err), info: () => undefined };
  const gauge = new RedisGauge({ url, log: log as ConstructorParameters<typeof RedisGauge>[0]["log"] });
  await gauge.read();
  // Waits for the measurement that `read` above did not wait for; its result is then known.
  await gauge.close();
  const { redis } = await gauge.read();
  return { trouble: redis.isConnected ? undefined : words };
}

/** Returns the open files limit of this process, which a server started in the same way has too. */
async function openFiles(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1];
  return soft === "unlimited" ? Infinity : soft === undefined ? undefined : Number(soft);
}
