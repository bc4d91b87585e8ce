import type { Selectable } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { ResourceSamplesTable } from "~/db/tables/resources";
import { minutes } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import { joined, LADDER, startOfStep, stepOf } from "./ladder";
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
export function createHistory(has: { database: Database; clock: Clock; instance: string }) {
  const { database, clock, instance } = has;
  const { read } = database;
  let gathering: KeptStep | undefined;

  async function write(step: KeptStep): Promise<void> {
    await database.write(async (trx) => {
      for (const rung of Object.values(LADDER)) await add(trx, instance, rung.step, step);
    });
  }

  return {
    /** Takes a sample in; writes what was gathered when its minute is over. @throws what the database throws: that minute is lost. */
    async add(resources: SystemResources, at: number): Promise<void> {
      const minute = startOfStep(at, LADDER.minute.step);
      const sample = stepOf(resources);
      if (gathering === undefined) {
        gathering = { ...sample, at: minute };
        return;
      }
      const whole = gathering;
      if (whole.at === minute) {
        gathering = { ...joined(whole, sample), at: minute };
        return;
      }
      gathering = { ...sample, at: minute };
      await write(whole);
    },

    /** Writes what is gathered, as before a stop. */
    async flush(): Promise<void> {
      const rest = gathering;
      gathering = undefined;
      if (rest) await write(rest);
    },

    /** The last day by the minute, or 30 days by 15 minutes; the oldest first, and nothing where the server did not run. */
    async over(over: Over): Promise<KeptStep[]> {
      const { step, keptFor } = over === "day" ? LADDER.minute : LADDER.quarter;
      const rows = await read
        .selectFrom("resource_samples")
        .select(KEPT_COLUMNS)
        .where("instance", "=", instance)
        .where("step", "=", step)
        .where("at", ">=", clock() - keptFor)
        .orderBy("at")
        .execute();
      return rows.map(kept);
    },

    /** The last minute of every other instance that runs. */
    async neighbours(): Promise<Neighbour[]> {
      const rows = await read
        .selectFrom("resource_samples")
        .selectAll()
        .where("step", "=", LADDER.minute.step)
        .where("at", ">=", clock() - SILENT_MS)
        .where("instance", "!=", instance)
        .orderBy("at", "desc")
        .limit(500)
        .execute();
      const latest = new Map<string, Neighbour>();
      for (const row of rows) {
        if (!latest.has(row.instance)) latest.set(row.instance, { ...kept(row), instance: row.instance });
      }
      return [...latest.values()].toSorted((a, b) => a.instance.localeCompare(b.instance, "en"));
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
async function add(trx: Write, instance: string, length: number, minute: KeptStep): Promise<void> {
  const at = startOfStep(minute.at, length);
  const there = await trx
    .selectFrom("resource_samples")
    .selectAll()
    .where("instance", "=", instance)
    .where("step", "=", length)
    .where("at", "=", at)
    .executeTakeFirst();
  const { samples, cpu, cpuPeak, memory, memoryPeak, disk, inbound, outbound, meetings } = there
    ? joined(kept(there), minute)
    : minute;
  const values = {
    samples,
    cpu,
    cpu_peak: cpuPeak,
    memory,
    memory_peak: memoryPeak,
    disk,
    inbound,
    outbound,
    meetings,
  };
  await trx
    .insertInto("resource_samples")
    .values({ instance, step: length, at, ...values })
    .onConflict((conflict) => conflict.columns(["instance", "step", "at"]).doUpdateSet(values))
    .execute();
}

/** What a step is made of: which instance and rung it belongs to, whoever asks knows. */
const KEPT_COLUMNS = [
  ...(["at", "samples", "cpu", "cpu_peak", "memory", "memory_peak"] as const),
  ...(["disk", "inbound", "outbound", "meetings"] as const),
] as const;

function kept(row: Pick<Selectable<ResourceSamplesTable>, (typeof KEPT_COLUMNS)[number]>): KeptStep {
  const { at, samples, cpu, memory, disk, inbound, outbound, meetings } = row;
  return {
    at,
    samples,
    cpu,
    memory,
    disk,
    inbound,
    outbound,
    meetings,
    cpuPeak: row.cpu_peak,
    memoryPeak: row.memory_peak,
  };
}
