import type { Logger } from "pino";
import type { Database } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
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
