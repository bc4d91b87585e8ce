import { readFile, statfs } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { mem, networkStats } from "systeminformation";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import type { Usage } from "~/services/resources/system-resources";
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

interface MachineProbeDeps {
  /** DATA_DIR: the disk that matters is the one it lies on. */
  folder: string;
  redis: RedisGauge | undefined;
  places?: CgroupPlaces;
  elapsed?: () => number;
}

/**
 * This machine, and inside a container what the container may have of it. The packages and calls are those that are both
 * right and quick: `mem` of systeminformation (0.4 ms; right on every system, where os.freemem leaves out what macOS would
 * give back), but os.cpus and fs.statfs instead of its `currentLoad` (means of its own choosing) and `fsSize` (starts df,
 * 9 ms). docs/decisions/0031 has the figures.
 */
export class MachineProbe implements ResourceProbe {
  readonly name = "machine";
  readonly #deps: Required<MachineProbeDeps>;
  #counters: Counters | undefined;
  #rates: Rates | undefined;

  constructor(deps: MachineProbeDeps) {
    this.#deps = { places: CGROUP_PLACES, elapsed: () => performance.now(), ...deps };
  }

  async measure(): Promise<Measurement> {
    const { folder, redis, places } = this.#deps;
    const limits = await limitsThatCount(places);
    const [diskUsage, memory, rates, cache] = await Promise.all([
      getDiskUsage(folder),
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
      await pause(FIRST_LOOK_MS);
      containerCpu = (await limitsThatCount(this.#deps.places)).cpu;
    }
    const before = this.#counters;
    const isSoon = this.#deps.elapsed() - before.at < SHORTEST_MS;
    if (this.#rates !== undefined && isSoon) return this.#rates;
    this.#counters = await this.#count(containerCpu);
    this.#rates = toRates(before, this.#counters);
    return this.#rates;
  }

  async #count(containerCpu: ContainerLimits["cpu"]): Promise<Counters> {
    const network = await networkCounters();
    const cores = cpus().map(({ times }) => {
      const all = times.user + times.nice + times.sys + times.idle + times.irq;
      return { busy: all - times.idle, all };
    });
    return { at: this.#deps.elapsed(), cores, containerCpu, network };
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

function toRates(before: Counters, after: Counters): Rates {
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
async function getDiskUsage(folder: string): Promise<Usage> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  const used = blocks - bfree;
  return {
    usagePercentage: percentage(used, used + bavail),
    totalBytes: blocks * bsize,
    freeBytes: bavail * bsize,
  };
}

/** Free is what can be had, as `free` calls it available. */
async function getMemoryUsage(limited: ContainerLimits["memory"]): Promise<Usage> {
  const machine = await mem();
  const totalBytes = limited?.limit ?? machine.total;
  const freeBytes = limited ? Math.max(0, limited.limit - limited.used) : machine.available;
  return { usagePercentage: percentage(totalBytes - freeBytes, totalBytes), totalBytes, freeBytes };
}

function percentage(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0;
}

/** Where Linux keeps what a process is limited to. Tests hand over a folder of their own. */
export const CGROUP_PLACES = { root: "/sys/fs/cgroup", self: "/proc/self/cgroup" };
export type CgroupPlaces = typeof CGROUP_PLACES;

export interface ContainerLimits {
  /** Bytes; undefined without a limit. */
  readonly memory: { readonly limit: number; readonly used: number } | undefined;
  /** Undefined without a limit. */
  readonly cpu: { readonly cores: number; readonly usedMicroseconds: number } | undefined;
}

const NO_LIMITS: ContainerLimits = { memory: undefined, cpu: undefined };

/**
 * The limits of this process's control group (cgroup v2: kernel documentation, admin-guide/cgroup-v2). A group's parents
 * limit it too, so that the tightest on the way up counts, with what that one uses. In a container the way is one step:
 * it sees its own group as the root. Without cgroup v2, and on other systems, there are no limits.
 */
export async function containerLimits(places: CgroupPlaces = CGROUP_PLACES): Promise<ContainerLimits> {
  const own = /^0::(\/.*)$/m.exec((await readText(places.self)) ?? "")?.[1];
  if (own === undefined) return NO_LIMITS;
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
  const [current, stat] = await Promise.all(
    ["memory.current", "memory.stat"].map((name) => readText(join(tightest.folder, name))),
  );
  const used = wholeNumber(current);
  if (used === undefined) return undefined;
  // Pages of files nobody looked at lately are given up before anything is refused, so they are not in use; `docker stats`
  // and Kubernetes count the same way. With them every container that once read a large file would look full.
  const reclaimable = counter(stat, "inactive_file") ?? 0;
  return { limit: tightest.limit, used: Math.max(0, used - reclaimable) };
}

async function tightestCpu(folders: readonly string[]): Promise<ContainerLimits["cpu"]> {
  const tightest = await findTightest(folders, "cpu.max", parseCores);
  if (!tightest) return undefined;
  const usedMicroseconds = counter(await readText(join(tightest.folder, "cpu.stat")), "usage_usec");
  return usedMicroseconds === undefined ? undefined : { cores: tightest.limit, usedMicroseconds };
}

/** "150000 100000" is one core and a half; "max 100000" no limit. */
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
  const limits = await Promise.all(
    folders.map(async (folder) => ({ folder, limit: parse(await readText(join(folder, file))) })),
  );
  return limits
    .flatMap(({ folder, limit }) => (limit === undefined ? [] : [{ folder, limit }]))
    .toSorted((a, b) => a.limit - b.limit)[0];
}

const readText = (path: string) => readFile(path, "utf8").catch(() => undefined);

export interface NetworkCounters {
  readonly received: number;
  readonly transmitted: number;
}

/** This machine talking to itself, and the inner sides of connections that are counted at the outer one as well. */
const NOT_COUNTED = /^(?:lo\d*$|veth|docker|br-|virbr|ifb|cni|flannel|cali|dummy|tunl)/;

/**
 * Bytes since the start of the machine, over all its network interfaces. Where the kernel writes them in a file that is
 * read: systeminformation starts a shell for every interface there, 15 ms each, and asks other systems well.
 */
export async function networkCounters(file = "/proc/net/dev"): Promise<NetworkCounters> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const interfaces = text === undefined ? await askTheSystem() : interfacesIn(text);
  const counted = interfaces.filter(({ name }) => !NOT_COUNTED.test(name));
  return {
    received: counted.reduce((sum, { received }) => sum + received, 0),
    transmitted: counted.reduce((sum, { transmitted }) => sum + transmitted, 0),
  };
}

interface Interface extends NetworkCounters {
  readonly name: string;
}

/** Two lines of headings, then `eth0: ` with eight numbers of what came and eight of what went, bytes first (proc(5)). */
function interfacesIn(text: string): Interface[] {
  return text.split("\n").flatMap((line) => {
    const [, name, numbers] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || numbers === undefined) return [];
    const counters = numbers.trim().split(/\s+/).map(Number);
    return [{ name, received: counters[0] ?? 0, transmitted: counters[8] ?? 0 }];
  });
}

async function askTheSystem(): Promise<Interface[]> {
  const stats = await networkStats("*");
  return stats.map(({ iface, rx_bytes, tx_bytes }) => ({
    name: iface,
    received: rx_bytes,
    transmitted: tx_bytes,
  }));
}
