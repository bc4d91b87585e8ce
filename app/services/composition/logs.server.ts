import { join } from "node:path";
import type { Environment } from "~/env.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { createLogFeed, createLogRest } from "~/services/logs/log-feed.server";
import type { LogSource } from "~/services/logs/log-store";
import { createLogs } from "~/services/logs/logs.server";
import type { LogLines } from "../../../server/observability/line-queue";
import type { Basics } from "./basics";

/**
 * The log as it is shown, and how our own lines come into the store.
 * @param has.shown where else the lines that are shown come from; undefined: the store.
 */
export function logsFor(
  environment: Environment,
  has: Basics & { shown: LogSource | undefined; ownLines: LogLines },
) {
  const { database, clock, newId, log } = has;
  const store = new DatabaseLogStore(database);
  const logRest = createLogRest(join(environment.DATA_DIR, "log-rest.jsonl"));
  return {
    logRest,
    logs: createLogs({
      database,
      store,
      source: has.shown,
      clock,
      newId,
      keep: { days: environment.LOG_KEEP_DAYS, megabytes: environment.LOG_KEEP_MB },
    }),
    logFeed: createLogFeed({ source: has.ownLines, store, rest: logRest, log }),
  };
}
