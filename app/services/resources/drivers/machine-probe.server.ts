import { statfs } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { mem } from "systeminformation";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import type { Usage } from "~/services/resources/system-resources";
import {
  CGROUP_PLACES,
  readContainerLimits,
  type CgroupPlaces,
  type ContainerLimits,
} from "./cgroup-limits.server";
import { readNetworkCounters } from "./network-counters.server";
import type { RedisGauge } from "./redis-gauge.server";

/** Counters from which rates are computed. */
interface Counters {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly cores: readonly { readonly busy: number; readonly all: number }[];
  readonly containerCpu: ContainerLimits["cpu"];
  readonly network: Awaited<ReturnType<typeof readNetworkCounters>>;
}

type Rates = Pick<Measurement["resources"], "cpu" | "network">;

/** Delay of the first measurement, which has no earlier one to compare with. */
const FIRST_DELAY_MS = 250;
/** Minimum interval: the kernel's counters (hundredths of a second) are too coarse for a shorter one. */
const MIN_INTERVAL_MS = 1000;

interface MachineProbeDeps {
  /** DATA_DIR, whose disk is measured. */
  folder: string;
  /** Returns the bytes of a released reserve: free, and to be taken again; 0 by default. */
  missingReserve?: () => Promise<number>;
  redis: RedisGauge | undefined;
  places?: CgroupPlaces;
  elapsed?: () => number;
}

/**
 * Measures this machine, or within a container its limits. The chosen calls are both correct and fast: `mem` of
 * systeminformation (0.4 ms; correct on every system, where os.freemem omits what macOS would reclaim), but
 * os.cpus and fs.statfs instead of its `currentLoad` (means over its own intervals) and `fsSize` (runs df, 9
 * ms). See docs/decisions/0031.
 */
export class MachineProbe implements ResourceProbe {
  readonly name = "machine";
  readonly #deps: Required<MachineProbeDeps>;
  #counters: Counters | undefined;
  #rates: Rates | undefined;

  constructor(deps: MachineProbeDeps) {
    this.#deps = {
      places: CGROUP_PLACES,
      elapsed: () => performance.now(),
      missingReserve: async () => 0,
      ...deps,
    };
  }

  async measure(): Promise<Measurement> {
    const { folder, missingReserve, redis, places } = this.#deps;
    const limits = await getEffectiveLimits(places);
    const [diskUsage, memory, rates, reading] = await Promise.all([
      missingReserve().then((bytes) => getDiskUsage(folder, bytes)),
      getMemoryUsage(limits.memory),
      this.#getRates(limits.cpu),
      redis?.read(),
    ]);
    return {
      resources: { diskUsage, memory, ...rates, redis: reading?.redis, meetings: reading?.meetings },
      limitedTo: { memory: limits.memory !== undefined, cpu: limits.cpu !== undefined },
    };
  }

  async close(): Promise<void> {
    await this.#deps.redis?.close();
  }

  async #getRates(containerCpu: ContainerLimits["cpu"]): Promise<Rates> {
    if (this.#counters === undefined) {
      this.#counters = await this.#count(containerCpu);
      await pause(FIRST_DELAY_MS);
      containerCpu = (await getEffectiveLimits(this.#deps.places)).cpu;
    }
    const before = this.#counters;
    const isSoon = this.#deps.elapsed() - before.at < MIN_INTERVAL_MS;
    if (this.#rates !== undefined && isSoon) return this.#rates;
    this.#counters = await this.#count(containerCpu);
    this.#rates = toRates(before, this.#counters);
    return this.#rates;
  }

  async #count(containerCpu: ContainerLimits["cpu"]): Promise<Counters> {
    const network = await readNetworkCounters();
    const cores = cpus().map(({ times }) => {
      const all = times.user + times.nice + times.sys + times.idle + times.irq;
      return { busy: all - times.idle, all };
    });
    return { at: this.#deps.elapsed(), cores, containerCpu, network };
  }
}

/** Reads the container's limits; a limit at or above the machine's capacity is ignored. */
async function getEffectiveLimits(places: CgroupPlaces): Promise<ContainerLimits> {
  const { memory, cpu } = await readContainerLimits(places);
  return {
    memory: memory && memory.limit < totalmem() ? memory : undefined,
    cpu: cpu && cpu.cores < cpus().length ? cpu : undefined,
  };
}

function toRates(before: Counters, after: Counters): Rates {
  const seconds = Math.max(0.001, (after.at - before.at) / 1000);
  const perSecond = (from: number, to: number) => Math.max(0, to - from) / 1024 / seconds;
  return {
    cpu: toContainerCpu(before, after, seconds) ?? toMachineCpu(before, after),
    network: {
      inboundKBps: perSecond(before.network.received, after.network.received),
      outboundKBps: perSecond(before.network.transmitted, after.network.transmitted),
      totalBytesReceived: after.network.received,
      totalBytesTransmitted: after.network.transmitted,
    },
  };
}

/** Computes the CPU usage of a container. The kernel counts its time as one sum: each core shows the mean. */
function toContainerCpu(before: Counters, after: Counters, seconds: number): Rates["cpu"] | undefined {
  if (!before.containerCpu || !after.containerCpu) return undefined;
  const { cores, usedMicroseconds } = after.containerCpu;
  const used = (usedMicroseconds - before.containerCpu.usedMicroseconds) / 1_000_000;
  const usagePercentage = percentage(used, seconds * cores);
  return toCpu(usagePercentage, Array<number>(Math.ceil(cores)).fill(usagePercentage));
}

function toMachineCpu(before: Counters, after: Counters): Rates["cpu"] {
  const spent = after.cores.map(({ busy, all }, core) => ({
    busy: busy - (before.cores[core]?.busy ?? 0),
    all: all - (before.cores[core]?.all ?? 0),
  }));
  const sum = (of: "busy" | "all") => spent.reduce((total, core) => total + core[of], 0);
  const usages = spent.map(({ busy, all }) => percentage(busy, all));
  return toCpu(percentage(sum("busy"), sum("all")), usages);
}

function toCpu(usagePercentage: number, usages: readonly number[]): Rates["cpu"] {
  const named = usages.map((usage, index) => [`Core ${index + 1}`, usage]);
  return { usagePercentage, coreCount: usages.length, coreUsages: Object.fromEntries(named) };
}

/**
 * Computes disk usage as df does: blocks reserved for the system count neither as used nor as free.
 * @param missingReserve bytes that count as used although they are free: releasing a reserve makes no room (hardening
 *   R50).
 */
async function getDiskUsage(folder: string, missingReserve: number): Promise<Usage> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  const kept = Math.min(missingReserve, bavail * bsize);
  const used = (blocks - bfree) * bsize + kept;
  const freeBytes = bavail * bsize - kept;
  return { usagePercentage: percentage(used, used + freeBytes), totalBytes: blocks * bsize, freeBytes };
}

/** Computes memory usage; free memory is what `free` calls available. */
async function getMemoryUsage(limited: ContainerLimits["memory"]): Promise<Usage> {
  const machine = await mem();
  const totalBytes = limited?.limit ?? machine.total;
  const freeBytes = limited ? Math.max(0, limited.limit - limited.used) : machine.available;
  return { usagePercentage: percentage(totalBytes - freeBytes, totalBytes), totalBytes, freeBytes };
}

function percentage(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0;
}
