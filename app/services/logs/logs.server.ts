import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";
import type { Actor } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { LogFilter, LogSource, LogStore, StoredLine } from "./log-store";

/** A download reads so many lines at a time: under a megabyte. */
const BATCH = 1000;
/** Between two pieces that are removed, so that it takes a tenth of the one writer there is. */
const BREATH_MS = 40;

export type Logs = ReturnType<typeof createLogs>;

/** The log as people read, take away and delete it. */
export function createLogs(deps: {
  database: Database;
  /** Our own log. */
  store: LogStore;
  /** The one that is shown; our own when left out. */
  source?: LogSource | undefined;
  clock: Clock;
  newId: NewId;
  keep: { days: number; megabytes: number };
}) {
  const { database, store, source = store, clock, newId, keep } = deps;
  let stopping = false;
  let sweeping: Promise<void> | undefined;

  const entry = ({ by, network, requestId }: Actor) => ({
    id: newId(),
    at: clock(),
    actor: by,
    network,
    requestId,
  });

  async function sweepAll(): Promise<void> {
    const oldest = () => clock() - days(keep.days);
    while (
      !stopping &&
      (await store.sweep({ since: oldest(), now: clock(), bytes: mebibytes(keep.megabytes) }))
    ) {
      await pause(BREATH_MS);
    }
  }

  return {
    /** Whether it is our own log that is shown. */
    isOurs: source === store,
    page: source.page.bind(source),
    around: source.around.bind(source),
    counts: source.counts.bind(source),
    hours: source.hours.bind(source),
    outOfReach: source.outOfReach.bind(source),

    /** All that matches, oldest first, in batches: one is held at a time, and none is read before it is asked for. */
    async *batches(filter: LogFilter): AsyncGenerator<readonly StoredLine[]> {
      for (let past: number | undefined; ;) {
        const { lines, next } = await source.page(filter, { past, limit: BATCH, order: "oldest" });
        if (lines.length > 0) yield lines;
        if (next === undefined) return;
        past = next;
      }
    },

    /** Writes down that somebody takes a copy away. */
    async recordExport(what: string, operator: Actor): Promise<void> {
      await database.write((trx) =>
        recordAudit(trx, { ...entry(operator), action: "export-logs", subject: what, outcome: "ok" }),
      );
    },

    /**
     * Deletes all lines there are: all, or none when it throws. It is written down first, as failed, and the deletion itself
     * says that it is done and how much it was: wherever it is interrupted, the activity tells the truth (hardening R5).
     */
    async deleteAll(operator: Actor): Promise<void> {
      const begun = entry(operator);
      await database.write((trx) =>
        recordAudit(trx, { ...begun, action: "delete-logs", subject: "all", outcome: "failed" }),
      );
      await source.deleteAll(async (trx, lines) => {
        const subject = `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}`;
        await trx.updateTable("audit").set({ outcome: "ok", subject }).where("id", "=", begun.id).execute();
      });
    },

    /** Removes what is deleted, too old or too much, piece by piece with time for others in between; one at a time. */
    sweep(): Promise<void> {
      sweeping ??= sweepAll().finally(() => (sweeping = undefined));
      return sweeping;
    },

    /** Resolves when no sweep is under way; what it leaves, the next start takes. */
    async stop(): Promise<void> {
      stopping = true;
      await sweeping?.catch(() => undefined);
    },
  };
}
