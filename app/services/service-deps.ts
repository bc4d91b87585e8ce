import type { Database } from "~/db/database.server";
import type { Clock } from "./clock";
import type { NewId } from "./ids.server";

/** Dependencies of nearly every service: the data, the time, and ids for new rows and audit entries. */
export interface ServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}
