import { statfs } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { mem } from "systeminformation";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import type { Usage } from "~/services/resources/system-resources";
import { CGROUP_PLACES, containerLimits } from "./cgroup.server";
import type { CgroupPlaces, ContainerLimits } from "./cgroup.server";
import { networkCounters } from "./network-counters.server";
import type { NetworkCounters } from "./network-counters.server";
import type { RedisGauge } from "./redis-gauge.server";

/** What rates are made of. */
interface Counters {
  /** Milliseconds of a clock that nobody sets. */
  readonly at: number;
  readonly cores: readonly { readonly busy: number; readonly all: number }[];
  readonly containerCpu: ContainerLimits["cpu"];
  readonly network: NetworkCounters;
}

type Rates = Pick<Measurement["resources"], "cpu" | "network">;

/** The first measurement has nothing to be compared with, and waits for this long to have it. */
const FIRST_LOOK_MS = 250;
/** Closer together, the kernel's counters (hundredths of a second) say little. */
const SHORTEST_MS = 1000;

/**
 * This machine, and inside a container what the container may have of it. The packages and calls are those that are both
 * right and quick: `mem` of systeminformation (0.4 ms; right on every system, where os.freemem leaves out what macOS would
 * give back), but os.cpus and fs.statfs instead of its `currentLoad` (means of its own choosing) and `fsSize` (starts df,
 * 9 ms). docs/decisions/0031 has the figures.
 */
export class MachineProbe implements ResourceProbe {
  readonly name = "machine";
  readonly #has: {
    folder: string;
    redis: RedisGauge | undefined;
    places: CgroupPlaces;
    elapsed: () => number;
  };
  #counters: Counters | undefined;
  #rates: Rates | undefined;

  constructor(has: {
    /** DATA_DIR: the disk that matters is the one it lies on. */
    folder: string;
    redis: RedisGauge | undefined;
    places?: CgroupPlaces;
    elapsed?: () => number;
  }) {
    this.#has = { places: CGROUP_PLACES, elapsed: () => performance.now(), ...has };
  }

  async measure(): Promise<Measurement> {
    const { folder, redis, places } = this.#has;
    const limits = await limitsThatCount(places);
    const [diskUsage, memory, rates, cache] = await Promise.all([
      diskOf(folder),
      memoryOf(limits.memory),
      this.#ratesSince(limits.cpu),
      redis?.read(),
    ]);
    return {
      resources: { diskUsage, memory, ...rates, redis: cache?.redis, meetings: cache?.meetings },
      limitedTo: { memory: limits.memory !== undefined, cpu: limits.cpu !== undefined },
    };
  }

  async close(): Promise<void> {
    await this.#has.redis?.close();
  }

  async #ratesSince(containerCpu: ContainerLimits["cpu"]): Promise<Rates> {
    if (this.#counters === undefined) {
      this.#counters = await this.#count(containerCpu);
      await pause(FIRST_LOOK_MS);
      containerCpu = (await limitsThatCount(this.#has.places)).cpu;
    }
    const before = this.#counters;
    const isSoon = this.#has.elapsed() - before.at < SHORTEST_MS;
    if (this.#rates !== undefined && isSoon) return this.#rates;
    this.#counters = await this.#count(containerCpu);
    this.#rates = ratesBetween(before, this.#counters);
    return this.#rates;
  }

  async #count(containerCpu: ContainerLimits["cpu"]): Promise<Counters> {
    const network = await networkCounters();
    const cores = cpus().map(({ times }) => {
      const all = times.user + times.nice + times.sys + times.idle + times.irq;
      return { busy: all - times.idle, all };
    });
    return { at: this.#has.elapsed(), cores, containerCpu, network };
  }
}

/** A limit at or above what there is limits nothing. */
async function limitsThatCount(places: CgroupPlaces): Promise<ContainerLimits> {
  const { memory, cpu } = await containerLimits(places);
  return {
    memory: memory && memory.limit < totalmem() ? memory : undefined,
    cpu: cpu && cpu.cores < cpus().length ? cpu : undefined,
  };
}

function ratesBetween(before: Counters, after: Counters): Rates {
  const seconds = Math.max(0.001, (after.at - before.at) / 1000);
  const perSecond = (from: number, to: number) => Math.max(0, to - from) / 1024 / seconds;
  return {
    cpu: containerShare(before, after, seconds) ?? wholeMachine(before, after),
    network: {
      inboundKBps: perSecond(before.network.received, after.network.received),
      outboundKBps: perSecond(before.network.transmitted, after.network.transmitted),
      totalBytesReceived: after.network.received,
      totalBytesTransmitted: after.network.transmitted,
    },
  };
}

/** The kernel counts a container's time as one sum, so that each of its cores shows the mean. */
function containerShare(before: Counters, after: Counters, seconds: number): Rates["cpu"] | undefined {
  if (!before.containerCpu || !after.containerCpu) return undefined;
  const { cores, usedMicroseconds } = after.containerCpu;
  const used = (usedMicroseconds - before.containerCpu.usedMicroseconds) / 1_000_000;
  const usagePercentage = percentage(used, seconds * cores);
  const coreCount = Math.ceil(cores);
  const coreUsages = Object.fromEntries(
    Array.from({ length: coreCount }, (_, core) => [coreName(core), usagePercentage]),
  );
  return { usagePercentage, coreCount, coreUsages };
}

function wholeMachine(before: Counters, after: Counters): Rates["cpu"] {
  const spent = after.cores.map(({ busy, all }, core) => ({
    busy: busy - (before.cores[core]?.busy ?? 0),
    all: all - (before.cores[core]?.all ?? 0),
  }));
  const sum = (of: "busy" | "all") => spent.reduce((total, core) => total + core[of], 0);
  return {
    usagePercentage: percentage(sum("busy"), sum("all")),
    coreCount: spent.length,
    coreUsages: Object.fromEntries(
      spent.map(({ busy, all }, core) => [coreName(core), percentage(busy, all)]),
    ),
  };
}

const coreName = (index: number): string => `Core ${index + 1}`;

/** As df has it: what is kept back for the system's own processes counts neither as used nor as free. */
async function diskOf(folder: string): Promise<Usage> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  const used = blocks - bfree;
  return {
    usagePercentage: percentage(used, used + bavail),
    totalBytes: blocks * bsize,
    freeBytes: bavail * bsize,
  };
}

/** Free is what can be had, as `free` calls it available. */
async function memoryOf(limited: ContainerLimits["memory"]): Promise<Usage> {
  const machine = await mem();
  const totalBytes = limited?.limit ?? machine.total;
  const freeBytes = limited ? Math.max(0, limited.limit - limited.used) : machine.available;
  return { usagePercentage: percentage(totalBytes - freeBytes, totalBytes), totalBytes, freeBytes };
}

function percentage(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0;
}
