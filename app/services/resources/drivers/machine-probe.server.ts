import { readFile, statfs } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { mem, networkStats } from "systeminformation";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import type { Usage } from "~/services/resources/system-resources";
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
  /** Returns the bytes of disk that are free but kept as a reserve; 0 by default. */
  missingReserve?: () => Promise<number>;
  redis: RedisGauge | undefined;
  places?: CgroupPlaces;
  elapsed?: () => number;
}

/**
 * Measures this machine, or within a container its limits. The chosen calls are both correct and fast: `mem` of
 * systeminformation (0.4 ms; correct on every system, where os.freemem omits what macOS would reclaim), but
 * os.cpus and fs.statfs instead of its `currentLoad` (means over its own intervals) and `fsSize` (runs df, 9
 * ms). docs/decisions/0031 has the figures.
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
    const [diskUsage, memory, rates, cache] = await Promise.all([
      missingReserve().then((bytes) => getDiskUsage(folder, bytes)),
      getMemoryUsage(limits.memory),
      this.#getRates(limits.cpu),
      redis?.read(),
    ]);
    return {
      resources: { diskUsage, memory, ...rates, redis: cache?.redis, meetings: cache?.meetings },
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

/** Paths of the control group's limits on Linux; replaced in tests. */
const CGROUP_PLACES = { root: "/sys/fs/cgroup", self: "/proc/self/cgroup" };
type CgroupPlaces = typeof CGROUP_PLACES;

/** Undefined where there is no limit. */
interface ContainerLimits {
  /** Bytes. */
  readonly memory: { readonly limit: number; readonly used: number } | undefined;
  readonly cpu: { readonly cores: number; readonly usedMicroseconds: number } | undefined;
}

/**
 * Reads the limits of this process's control group (cgroup v2: kernel documentation, admin-guide/cgroup-v2).
 * The parents of a group limit it too: the tightest limit on the way up applies, with the usage of that group.
 * A container sees its own group as the root. Without cgroup v2, and on other systems, there are no limits.
 */
export async function readContainerLimits(places: CgroupPlaces): Promise<ContainerLimits> {
  const own = /^0::(\/.*)$/m.exec((await readText(places.self)) ?? "")?.[1];
  if (own === undefined) return { memory: undefined, cpu: undefined };
  const folders: string[] = [];
  for (let path = own; ; path = dirname(path)) {
    folders.push(join(places.root, path));
    if (path === "/") break;
  }
  const [memory, cpu] = await Promise.all([tightestMemory(folders), tightestCpu(folders)]);
  return { memory, cpu };
}

async function tightestMemory(folders: readonly string[]): Promise<ContainerLimits["memory"]> {
  const tightest = await findTightest(folders, "memory.max", wholeNumber);
  if (!tightest) return undefined;
  const used = wholeNumber(await readText(join(tightest.folder, "memory.current")));
  const stat = await readText(join(tightest.folder, "memory.stat"));
  if (used === undefined) return undefined;
  // Inactive file pages are reclaimed before any allocation fails, so they are not in use; `docker stats` and
  // Kubernetes count the same way. Otherwise every container that once read a large file would look full.
  const reclaimable = counter(stat, "inactive_file") ?? 0;
  return { limit: tightest.limit, used: Math.max(0, used - reclaimable) };
}

async function tightestCpu(folders: readonly string[]): Promise<ContainerLimits["cpu"]> {
  const tightest = await findTightest(folders, "cpu.max", parseCores);
  if (!tightest) return undefined;
  const usedMicroseconds = counter(await readText(join(tightest.folder, "cpu.stat")), "usage_usec");
  return usedMicroseconds === undefined ? undefined : { cores: tightest.limit, usedMicroseconds };
}

/** Parses cpu.max: "150000 100000" is one and a half cores; "max 100000" no limit. */
function parseCores(text: string | undefined): number | undefined {
  const [quota, period] = (text ?? "").trim().split(/\s+/).map(Number);
  return quota && period && quota > 0 && period > 0 ? quota / period : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function counter(text: string | undefined, name: string): number | undefined {
  return wholeNumber(new RegExp(`^${name} (\\d+)$`, "m").exec(text ?? "")?.[1]);
}

async function findTightest(
  folders: readonly string[],
  file: string,
  parse: (text: string | undefined) => number | undefined,
) {
  let tightest: { readonly folder: string; readonly limit: number } | undefined;
  for (const folder of folders) {
    const limit = parse(await readText(join(folder, file)));
    if (limit !== undefined && limit < (tightest?.limit ?? Infinity)) tightest = { folder, limit };
  }
  return tightest;
}

const readText = (path: string) => readFile(path, "utf8").catch(() => undefined);

/** Loopback interfaces, and the inner sides of connections that are counted at the outer one as well. */
const NOT_COUNTED = /^(?:lo\d*$|veth|docker|br-|virbr|ifb|cni|flannel|cali|dummy|tunl)/;

/**
 * Sums the bytes of all network interfaces since boot. Reads the kernel's file where it exists:
 * systeminformation starts a shell per interface there, 15 ms each, but works well on other systems.
 */
export async function readNetworkCounters(file = "/proc/net/dev") {
  const text = await readText(file);
  const interfaces = text === undefined ? await networkStats("*") : parseInterfaces(text);
  const counted = interfaces.filter(({ iface }) => !NOT_COUNTED.test(iface));
  return {
    received: counted.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
    transmitted: counted.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
  };
}

/** Parses /proc/net/dev (proc(5)): per interface eight received and eight sent numbers, bytes first. */
function parseInterfaces(text: string) {
  return text.split("\n").flatMap((line) => {
    const [, iface, numbers] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (iface === undefined || numbers === undefined) return [];
    const counters = numbers.trim().split(/\s+/).map(Number);
    return [{ iface, rx_bytes: counters[0] ?? 0, tx_bytes: counters[8] ?? 0 }];
  });
}
