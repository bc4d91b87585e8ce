import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "~/content/brand";
import type { Environment } from "~/env.server";
import { getDomain, isExampleDomain } from "~/lib/example-domain";
import { getFileSystem, isNetworkFileSystem } from "~/lib/network-file-system.server";
import { createSessionCookie } from "~/services/access/session-storage.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { getOrigin } from "~/services/composition/foundation.server";
import { buildState, root } from "../prepare.mjs";
import { probeOrigin, lookUpMailRecords } from "./network-facts";
import { collectDatabaseFacts } from "./database-facts";
import {
  collectBackupFacts,
  collectDataFolderFacts,
  readGoogleKeyFile,
  collectPageFacts,
  getMode,
  readPackage,
} from "./file-facts";
import { RedisGauge } from "~/services/resources/drivers/redis-gauge.server";

/** The facts that the checks look at; an unknown one is undefined or says so. */
export type DeployFacts = Awaited<ReturnType<typeof collectDeployFacts>>;

/**
 * Collects the facts for the deployment checks, within some seconds even when upstreams do not answer. It changes
 * nothing.
 * @param backupFolder the folder of the backups.
 */
export async function collectDeployFacts(environment: Environment, backupFolder: string) {
  const clock = Date.now;
  const { ORIGIN, DATA_DIR, MAIL_FROM } = environment;
  const origin = getOrigin(environment);
  const dataFolder = await collectDataFolderFacts(DATA_DIR);
  // SQLite's file is not even opened there: it could hang, or damage what another machine writes.
  const mayHang = environment.DATABASE_URL === undefined && isNetworkFileSystem(dataFolder.fileSystem ?? "");
  const isMailDomainChecked = environment.MAIL_DRIVER === "smtp" && !isExampleDomain(getDomain(MAIL_FROM));
  const [originResponse, database, backups, mailDomain, redis, googleKeyFile] = await Promise.all([
    ORIGIN === undefined ? undefined : probeOrigin(ORIGIN, clock),
    mayHang
      ? ({ kind: "unreachable", problem: `it is on ${dataFolder.fileSystem}, which is not opened` } as const)
      : collectDatabaseFacts({
          place: { url: environment.DATABASE_URL, dataDir: DATA_DIR },
          hasher: new Argon2PasswordHasher(),
          clock,
          environmentPassword: environment.SUPERADMIN_PASSWORD,
        }),
    collectBackupFacts(backupFolder, DATA_DIR, process.env),
    isMailDomainChecked
      ? lookUpMailRecords(getDomain(MAIL_FROM))
      : { hasSpf: undefined, hasDmarc: undefined },
    environment.REDIS_URL === undefined ? undefined : probeRedis(environment.REDIS_URL),
    readGoogleKeyFile(environment.GOOGLE_APPLICATION_CREDENTIALS),
  ]);
  const secure = origin.startsWith("https:");
  return {
    now: clock(),
    settings: environment,
    /** The origin that the product uses for its links. */
    origin,
    /** Undefined when it was not requested. */
    originResponse,
    page: await collectPageFacts(brand, root),
    database,
    dataFolder,
    backups,
    /** The records of MAIL_FROM's domain; undefined when DNS did not answer. */
    mailDomain,
    /** Undefined without REDIS_URL. */
    redis,
    /** Undefined when it cannot be read. */
    googleKeyFile,
    /** The Set-Cookie header of a login. */
    sessionCookie: await createSessionCookie({ secret: "of nobody", secure }).serialize("of nobody"),
    program: {
      ...readPackage(root),
      build: buildState(),
      node: process.versions.node,
      openFiles: await getOpenFilesLimit(),
      isRoot: process.getuid?.() === 0,
      isInContainer: isInContainer(),
      envFileMode: await getMode(join(root, ".env")),
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
