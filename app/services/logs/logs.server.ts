import { formatCount } from "~/lib/format-number";
import { setTimeout as pause } from "node:timers/promises";
import { days } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { LogFilter, LogSource, LogStore, StoredLine } from "./log-store";

/** Lines per batch of a download: under a megabyte. */
const BATCH = 1000;
/** Pause between two deleted batches, so that sweeping takes a tenth of SQLite's single writer. */
const PAUSE_MS = 40;

interface LogsDeps extends ServiceDeps {
  /** Log of this application. */
  readonly store: LogStore;
  /** Log that is shown; this application's when omitted. */
  readonly source?: LogSource | undefined;
  readonly keep: { days: number; megabytes: number };
}

/** Creates the service to read, export and delete the log. */
export function createLogs(deps: LogsDeps) {
  const { database, store, source = store, clock, newId, keep } = deps;
  const audit = createAudit(deps);
  let stopping = false;
  let sweeping: Promise<void> | undefined;

  async function sweepAll(): Promise<void> {
    let hasMore = true;
    while (hasMore && !stopping) {
      const now = clock();
      hasMore = await store.sweep({ since: now - days(keep.days), now, bytes: mebibytes(keep.megabytes) });
      if (hasMore) await pause(PAUSE_MS);
    }
  }

  return {
    /** Whether the log that is shown is this application's. */
    isOurs: source === store,
    page: source.page.bind(source),
    around: source.around.bind(source),
    counts: source.counts.bind(source),
    hours: source.hours.bind(source),
    outOfReach: source.outOfReach.bind(source),

    /** Yields all matching lines, oldest first, in batches; each is read when it is requested. */
    async *batches(filter: LogFilter): AsyncGenerator<readonly StoredLine[]> {
      for (let past: number | undefined; ;) {
        const { lines, next } = await source.page(filter, { past, limit: BATCH, order: "oldest" });
        if (lines.length > 0) yield lines;
        if (next === undefined) return;
        past = next;
      }
    },

    /**
     * Deletes all lines; all or none when it throws. The audit entry is written first, as failed, and marked as done
     * by the deletion, with the number of lines: interrupted anywhere, the activity is correct (hardening R5). Of the
     * platform's log, "failed" says that the deletion was not confirmed.
     */
    async deleteAll(operator: Actor): Promise<void> {
      const id = newId();
      await database.write((trx) =>
        audit(trx, operator, { id, action: "delete-logs", subject: "all", outcome: "failed" }),
      );
      await source.deleteAll(async (trx, lines) => {
        const subject = formatCount(lines, "line");
        await trx.updateTable("audit").set({ outcome: "ok", subject }).where("id", "=", id).execute();
      });
    },

    /** Removes lines that are deleted, too old or over the size limit, in batches; one sweep at a time. */
    sweep: (): Promise<void> => (sweeping ??= sweepAll().finally(() => (sweeping = undefined))),

    /** Resolves when no sweep is running; the next start does the rest. */
    async stop(): Promise<void> {
      stopping = true;
      await sweeping?.catch(() => undefined);
    },
  };
}
