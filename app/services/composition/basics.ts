import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Database } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import type { Environment } from "~/env.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";

/** What nearly every service is made with. */
export interface Basics {
  readonly database: Database;
  readonly clock: Clock;
  /** By which instances hold what they work on. */
  readonly leaseTime: SharedTime;
  readonly newId: NewId;
  readonly log: Logger;
}

/**
 * Names this instance, the same over restarts: what it claims and measures is kept under it. On SQLite there is one instance,
 * so that another port changes nothing; those that share a PostgreSQL may run on one machine and are told apart by their ports.
 */
export function getInstanceName({ DATABASE_URL, PORT }: Pick<Environment, "DATABASE_URL" | "PORT">): string {
  return DATABASE_URL ? `${hostname()}:${PORT}` : hostname();
}
