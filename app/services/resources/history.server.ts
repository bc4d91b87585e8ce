import type { Database, Write } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import { joinSteps, RESOLUTIONS, startOfStep, toStep } from "./resolutions";
import type { Step } from "./resolutions";
import type { SystemResources } from "./system-resources";

/** Time without samples after which an instance counts as stopped. */
const SILENT_MS = minutes(5);

export interface StoredStep extends Step {
  /** Start of the interval, epoch milliseconds. */
  readonly at: number;
}

export interface Neighbour extends StoredStep {
  readonly instance: string;
}

export type Over = "day" | "month";
export type History = ReturnType<typeof createHistory>;

/**
 * Creates the history of one instance's resources. Each instance writes its own rows, so that none waits for
 * another and machines are told apart. Samples of a minute are aggregated in memory and written once it is
 * over, to both resolutions in one transaction; a crash or a failed write loses that minute at most.
 */
export function createHistory(deps: { database: Database; clock: Clock; instance: string }) {
  const { database, clock, instance } = deps;
  const { read } = database;
  let pending: { readonly at: number; readonly step: Step } | undefined;

  async function write({ at, step }: { readonly at: number; readonly step: Step }): Promise<void> {
    await database.write(async (trx) => {
      for (const resolution of Object.values(RESOLUTIONS)) {
        await add(trx, { instance, step: resolution.step, at: startOfStep(at, resolution.step) }, step);
      }
    });
  }

  return {
    /**
     * Adds a sample; writes the previous minute when a new one starts.
     * @throws errors of the database: that minute is lost.
     */
    async add(resources: SystemResources, at: number): Promise<void> {
      const minute = startOfStep(at, RESOLUTIONS.minute.step);
      const sample = toStep(resources);
      const before = pending;
      if (before?.at === minute) {
        pending = { at: minute, step: joinSteps(before.step, sample) };
        return;
      }
      pending = { at: minute, step: sample };
      if (before) await write(before);
    },

    /** Writes the pending minute, before a stop. */
    async flush(): Promise<void> {
      const rest = pending;
      pending = undefined;
      if (rest) await write(rest);
    },

    /**
     * Lists the last day by minute, or 30 days by 15 minutes; oldest first, with gaps where the server did not
     * run.
     */
    over(over: Over): Promise<StoredStep[]> {
      const { step, keptFor } = over === "day" ? RESOLUTIONS.minute : RESOLUTIONS.quarter;
      return read
        .selectFrom("resource_samples")
        .select(STORED_COLUMNS)
        .where("instance", "=", instance)
        .where("step", "=", step)
        .where("at", ">=", clock() - keptFor)
        .orderBy("at")
        .execute();
    },

    /** Lists the last minute of every other running instance. */
    async neighbours(): Promise<Neighbour[]> {
      const newestFirst = await read
        .selectFrom("resource_samples")
        .select([...STORED_COLUMNS, "instance"])
        .where("step", "=", RESOLUTIONS.minute.step)
        .where("at", ">=", clock() - SILENT_MS)
        .where("instance", "!=", instance)
        .orderBy("at", "desc")
        .limit(500)
        .execute();
      const latest = [...Map.groupBy(newestFirst, (row) => row.instance).values()].flatMap(
        ([row]) => row ?? [],
      );
      return latest.toSorted((a, b) => a.instance.localeCompare(b.instance, "en"));
    },

    /** Deletes samples of all instances older than the retention of their resolution. */
    async sweep(): Promise<void> {
      await database.write(async (trx) => {
        for (const { step, keptFor } of Object.values(RESOLUTIONS)) {
          await trx
            .deleteFrom("resource_samples")
            .where("step", "=", step)
            .where("at", "<", clock() - keptFor)
            .execute();
        }
      });
    },
  };
}

/** Merges a minute into its row of one resolution, which may exist from before a restart. */
async function add(
  trx: Write,
  key: { readonly instance: string; readonly step: number; readonly at: number },
  minute: Step,
): Promise<void> {
  const there = await trx
    .selectFrom("resource_samples")
    .select(STEP_COLUMNS)
    .where("instance", "=", key.instance)
    .where("step", "=", key.step)
    .where("at", "=", key.at)
    .executeTakeFirst();
  const { cpuPeak, memoryPeak, ...others } = there ? joinSteps(there, minute) : minute;
  const values = { ...others, cpu_peak: cpuPeak, memory_peak: memoryPeak };
  await trx
    .insertInto("resource_samples")
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(["instance", "step", "at"]).doUpdateSet(values))
    .execute();
}

const STEP_COLUMNS = [
  "samples",
  "cpu",
  "cpu_peak as cpuPeak",
  "memory",
  "memory_peak as memoryPeak",
  "disk",
  "inbound",
  "outbound",
  "meetings",
] as const;
/** Columns of an aggregate with its time; callers know the instance and the resolution. */
const STORED_COLUMNS = [...STEP_COLUMNS, "at"] as const;
