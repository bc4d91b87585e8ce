import { hostname } from "node:os";
import type { Logger } from "pino";
import { openDatabase } from "~/db/open-database.server";
import { getSharedTime } from "~/db/shared-time.server";
import { findSqlitePlaceProblem } from "~/db/sqlite-file.server";
import { EnvironmentError, type Environment } from "~/env.server";
import { getFileSystem } from "~/lib/network-file-system.server";
import { mebibytes } from "~/lib/sizes";
import { createDiskReserve } from "~/services/disk/disk-reserve.server";
import { loadSecrets } from "~/services/secrets/secrets.server";
import { newId } from "~/services/service-deps";
import { composeBrand } from "./brand.server";

/** Dependencies of nearly every service. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens the database, migrates it, and reads the secrets. @throws EnvironmentError */
export async function openFoundation(environment: Environment, log: Logger) {
  checkDataFolder(environment);
  const disk = createDiskReserve({
    folder: environment.DATA_DIR,
    minimumFree: mebibytes(environment.MIN_FREE_DISK_MB),
    log,
  });
  const database = await openDatabase({
    url: environment.DATABASE_URL,
    dataDir: environment.DATA_DIR,
    connections: environment.DATABASE_POOL,
    onError: (err) => log.warn({ err }, "lost a database connection"),
    retryWhenFull: disk.retryWhenFull,
  });
  const clock = Date.now;
  const origin = getOrigin(environment);
  return {
    environment,
    brand: composeBrand(environment),
    disk,
    database,
    clock,
    newId,
    log,
    random: Math.random,
    origin,
    /** Restricts cookies to TLS. */
    secure: origin.startsWith("https:"),
    instance: getInstanceName(environment),
    /** Name under which measurements are stored. */
    measuredAs: getMeasuredName(environment),
    /** Whether the resources shown are the platform's, and not this machine's. */
    isMeasuredByPlatform: environment.RESOURCES_DRIVER === "platform",
    /** Clock of the leases that instances hold. */
    leaseTime: getSharedTime(database.dialect),
    secrets: await loadSecrets(database, clock, getOwnSecrets(environment)),
  };
}

/**
 * Checks the file system of DATA_DIR before SQLite's file is created or opened (hardening R23).
 * @param fileSystem returns the kernel's name of a path's file system.
 * @throws EnvironmentError when SQLite's file must not be stored there.
 */
export function checkDataFolder(
  { DATA_DIR, DATABASE_URL }: Pick<Environment, "DATA_DIR" | "DATABASE_URL">,
  fileSystem: (path: string) => string | undefined = getFileSystem,
): void {
  if (DATABASE_URL !== undefined) return;
  const problem = findSqlitePlaceProblem(DATA_DIR, fileSystem(DATA_DIR));
  if (problem) throw new EnvironmentError(`DATA_DIR: ${problem}`);
}

/** Returns the product's public address. */
export function getOrigin({ ORIGIN, PORT }: Pick<Environment, "ORIGIN" | "PORT">): string {
  return ORIGIN ?? `http://localhost:${PORT}`;
}

/** Returns the secrets that the environment overrides. */
export function getOwnSecrets(environment: Environment) {
  return {
    session: environment.SESSION_SECRET,
    form: environment.FORM_SECRET,
    previousForm: environment.FORM_SECRET_PREVIOUS,
    vapidPublic: environment.VAPID_PUBLIC_KEY,
    vapidPrivate: environment.VAPID_PRIVATE_KEY,
  };
}

/**
 * Names this process, the same over restarts: jobs that it had claimed when it ended are recovered at its next
 * start. Instances on one machine are distinguished by their ports. Two that have one name all the same are logged
 * (boot-record.server.ts).
 */
function getInstanceName({ PORT }: Pick<Environment, "PORT">): string {
  return `${hostname()}:${PORT}`;
}

/**
 * Returns the name under which this instance's measurements are stored: one for all instances if they are the platform's.
 * SQLite is used by one instance, so that another port keeps its history.
 */
export function getMeasuredName(
  environment: Pick<Environment, "DATABASE_URL" | "PORT" | "RESOURCES_DRIVER">,
): string {
  // As the screen and the emails show it: "On the platform, ...".
  if (environment.RESOURCES_DRIVER === "platform") return "the platform";
  return environment.DATABASE_URL ? getInstanceName(environment) : hostname();
}
