import type { Database, Write } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import { joinSteps, LADDER, startOfStep, toStep } from "./ladder";
import type { Step } from "./ladder";
import type { SystemResources } from "./system-resources";

/** An instance that wrote nothing for so long is counted among those that run no more. */
const SILENT_MS = minutes(5);

export interface KeptStep extends Step {
  /** When it began, epoch milliseconds. */
  readonly at: number;
}

export interface Neighbour extends KeptStep {
  readonly instance: string;
}

export type Over = "day" | "month";
export type History = ReturnType<typeof createHistory>;

/**
 * The history of one instance's resources: each writes its own, under its own name, so that none waits for another and a
 * machine is not taken for its neighbour. Samples of a minute are gathered in memory and written once it is over, to
 * both rungs of the ladder in one write; a crash or a write that fails loses that minute at most.
 */
export function createHistory(deps: { database: Database; clock: Clock; instance: string }) {
  const { database, clock, instance } = deps;
  const { read } = database;
  let gathering: { readonly at: number; readonly step: Step } | undefined;

  async function write({ at, step }: { readonly at: number; readonly step: Step }): Promise<void> {
    await database.write(async (trx) => {
      for (const rung of Object.values(LADDER)) {
        await add(trx, { instance, step: rung.step, at: startOfStep(at, rung.step) }, step);
      }
    });
  }

  return {
    /** Takes a sample in; writes what was gathered when its minute is over. @throws what the database throws: that minute is lost. */
    async add(resources: SystemResources, at: number): Promise<void> {
      const minute = startOfStep(at, LADDER.minute.step);
      const sample = toStep(resources);
      const before = gathering;
      if (before?.at === minute) {
        gathering = { at: minute, step: joinSteps(before.step, sample) };
        return;
      }
      gathering = { at: minute, step: sample };
      if (before) await write(before);
    },

    /** Writes what is gathered, as before a stop. */
    async flush(): Promise<void> {
      const rest = gathering;
      gathering = undefined;
      if (rest) await write(rest);
    },

    /** The last day by the minute, or 30 days by 15 minutes; the oldest first, and nothing where the server did not run. */
    over(over: Over): Promise<KeptStep[]> {
      const { step, keptFor } = over === "day" ? LADDER.minute : LADDER.quarter;
      return read
        .selectFrom("resource_samples")
        .select(KEPT_COLUMNS)
        .where("instance", "=", instance)
        .where("step", "=", step)
        .where("at", ">=", clock() - keptFor)
        .orderBy("at")
        .execute();
    },

    /** The last minute of every other instance that runs. */
    async neighbours(): Promise<Neighbour[]> {
      const newestFirst = await read
        .selectFrom("resource_samples")
        .select([...KEPT_COLUMNS, "instance"])
        .where("step", "=", LADDER.minute.step)
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

    /** Forgets what is older than its rung is kept, of all instances. */
    async sweep(): Promise<void> {
      await database.write(async (trx) => {
        for (const { step, keptFor } of Object.values(LADDER)) {
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

/** A minute belongs to one row of each rung; what that holds already, also from before a restart, is joined with it. */
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
/** What a step is made of: which instance and rung it belongs to, whoever asks knows. */
const KEPT_COLUMNS = [...STEP_COLUMNS, "at"] as const;
