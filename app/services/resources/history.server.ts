import type { Database, Write } from "~/db/database.server";
import type { ResourceSamplesTable } from "~/db/tables/monitoring";
import { days, minutes } from "~/lib/durations";
import type { Clock } from "~/services/service-deps";
import type { SystemResources } from "./system-resources";

/** Resolutions of the history and their retention. */
export const RESOLUTIONS = {
  minute: { step: minutes(1), retentionMs: days(1) },
  quarter: { step: minutes(15), retentionMs: days(30) },
} as const;

/** Time without samples after which an instance counts as stopped. */
const SILENT_MS = minutes(5);

/** Columns of an aggregate; callers know the instance and the resolution. */
const COLUMNS = [
  "samples",
  "cpu",
  "cpu_peak",
  "memory",
  "memory_peak",
  "disk",
  "inbound",
  "outbound",
  "meetings",
  "at",
] as const;

/** Aggregate of samples over one interval: means, and peaks of values that fluctuate. */
export type StoredAggregate = Pick<ResourceSamplesTable, (typeof COLUMNS)[number]>;
export type Aggregate = Omit<StoredAggregate, "at">;

export type Period = "day" | "month";
export type History = ReturnType<typeof createHistory>;
export type Neighbour = Awaited<ReturnType<History["neighbours"]>>[number];

/**
 * Creates the history of one instance's resources. Each instance writes its own rows, so that none waits for
 * another and machines are told apart; all that measure the platform write the same ones. Samples of a minute are
 * aggregated in memory and written once it is over, to both resolutions in one transaction; a crash or a failed write
 * loses that minute at most.
 */
export function createHistory(deps: { database: Database; clock: Clock; instance: string }) {
  const { database, clock, instance } = deps;
  const { read } = database;
  let pending: StoredAggregate | undefined;

  async function write({ at, ...minute }: StoredAggregate): Promise<void> {
    await database.write(async (trx) => {
      for (const { step } of Object.values(RESOLUTIONS)) {
        await add(trx, { instance, step, at: startOfStep(at, step) }, minute);
      }
    });
  }

  return {
    /** Adds a sample; writes the previous minute when a new one starts. @throws when that is lost. */
    async add(resources: SystemResources, at: number): Promise<void> {
      const minute = startOfStep(at, RESOLUTIONS.minute.step);
      const sample = toAggregate(resources);
      const before = pending;
      const isSameMinute = before?.at === minute;
      pending = { at: minute, ...(isSameMinute ? joinAggregates(before, sample) : sample) };
      if (before && !isSameMinute) await write(before);
    },

    /** Writes the pending minute, before a stop. */
    async flush(): Promise<void> {
      const rest = pending;
      pending = undefined;
      if (rest) await write(rest);
    },

    /** Lists a day by minute, or 30 days by 15 minutes; oldest first, with gaps while it did not run. */
    list(period: Period): Promise<StoredAggregate[]> {
      const { step, retentionMs } = period === "day" ? RESOLUTIONS.minute : RESOLUTIONS.quarter;
      return read
        .selectFrom("resource_samples")
        .select(COLUMNS)
        .where("instance", "=", instance)
        .where("step", "=", step)
        .where("at", ">=", clock() - retentionMs)
        .orderBy("at")
        .execute();
    },

    /** Lists the last minute of every other running instance. */
    async neighbours() {
      const newestFirst = await read
        .selectFrom("resource_samples")
        .select([...COLUMNS, "instance"])
        .where("step", "=", RESOLUTIONS.minute.step)
        .where("at", ">=", clock() - SILENT_MS)
        .where("instance", "!=", instance)
        .orderBy("at", "desc")
        .limit(500)
        .execute();
      const byInstance = Map.groupBy(newestFirst, (row) => row.instance);
      return [...byInstance.values()]
        .flatMap(([newest]) => newest ?? [])
        .toSorted((a, b) => a.instance.localeCompare(b.instance, "en"));
    },

    /** Deletes samples of all instances older than the retention of their resolution. */
    async sweep(): Promise<void> {
      await database.write(async (trx) => {
        for (const { step, retentionMs } of Object.values(RESOLUTIONS)) {
          await trx
            .deleteFrom("resource_samples")
            .where("step", "=", step)
            .where("at", "<", clock() - retentionMs)
            .execute();
        }
      });
    },
  };
}

/**
 * Merges a minute into its row of one resolution, which may exist from before a restart. Of two instances that measure
 * the platform and write at the same moment, the minute of one is kept.
 */
async function add(
  trx: Write,
  key: Pick<ResourceSamplesTable, "instance" | "step" | "at">,
  minute: Aggregate,
) {
  const existing = await trx
    .selectFrom("resource_samples")
    .select(COLUMNS)
    .where((row) => row.and(key))
    .executeTakeFirst();
  const values = existing ? joinAggregates(existing, minute) : minute;
  await trx
    .insertInto("resource_samples")
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(["instance", "step", "at"]).doUpdateSet(values))
    .execute();
}

export const startOfStep = (at: number, step: number): number => Math.floor(at / step) * step;

/** Converts one measurement to an aggregate. */
function toAggregate({ cpu, memory, diskUsage, network, meetings }: SystemResources): Aggregate {
  return {
    samples: 1,
    cpu: cpu.usagePercentage,
    cpu_peak: cpu.usagePercentage,
    memory: memory.usagePercentage,
    memory_peak: memory.usagePercentage,
    disk: diskUsage.usagePercentage,
    inbound: network.inboundKBps,
    outbound: network.outboundKBps,
    meetings: meetings?.concurrentMeetings ?? null,
  };
}

/** Merges two aggregates: means weighted by the number of samples. Unknown meetings are ignored. */
export function joinAggregates(a: Aggregate, b: Aggregate): Aggregate {
  const samples = a.samples + b.samples;
  const mean = (from: number, to: number) => (from * a.samples + to * b.samples) / samples;
  return {
    samples,
    cpu: mean(a.cpu, b.cpu),
    cpu_peak: Math.max(a.cpu_peak, b.cpu_peak),
    memory: mean(a.memory, b.memory),
    memory_peak: Math.max(a.memory_peak, b.memory_peak),
    disk: mean(a.disk, b.disk),
    inbound: mean(a.inbound, b.inbound),
    outbound: mean(a.outbound, b.outbound),
    meetings:
      a.meetings !== null && b.meetings !== null ? mean(a.meetings, b.meetings) : (a.meetings ?? b.meetings),
  };
}
