import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

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
  const own = /^0::(\/.*)$/m.exec((await textOf(places.self)) ?? "")?.[1];
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
  const limits = await Promise.all(
    folders.map(async (folder) => ({ folder, limit: wholeNumber(await textOf(join(folder, "memory.max"))) })),
  );
  const tightest = smallest(limits);
  if (!tightest) return undefined;
  const [current, stat] = await Promise.all(
    ["memory.current", "memory.stat"].map((name) => textOf(join(tightest.folder, name))),
  );
  const used = wholeNumber(current);
  if (used === undefined) return undefined;
  // Pages of files nobody looked at lately are given up before anything is refused, so they are not in use; `docker stats`
  // and Kubernetes count the same way. With them every container that once read a large file would look full.
  const reclaimable = counter(stat, "inactive_file") ?? 0;
  return { limit: tightest.limit, used: Math.max(0, used - reclaimable) };
}

async function tightestCpu(folders: readonly string[]): Promise<ContainerLimits["cpu"]> {
  const limits = await Promise.all(
    folders.map(async (folder) => ({ folder, limit: coresOf(await textOf(join(folder, "cpu.max"))) })),
  );
  const tightest = smallest(limits);
  if (!tightest) return undefined;
  const usedMicroseconds = counter(await textOf(join(tightest.folder, "cpu.stat")), "usage_usec");
  return usedMicroseconds === undefined ? undefined : { cores: tightest.limit, usedMicroseconds };
}

/** "150000 100000" is one core and a half; "max 100000" no limit. */
function coresOf(text: string | undefined): number | undefined {
  const [quota, period] = (text ?? "").trim().split(/\s+/).map(Number);
  return quota && period && quota > 0 && period > 0 ? quota / period : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function counter(text: string | undefined, name: string): number | undefined {
  return wholeNumber(new RegExp(`^${name} (\\d+)$`, "m").exec(text ?? "")?.[1]);
}

function smallest(limits: readonly { folder: string; limit: number | undefined }[]) {
  return limits
    .flatMap(({ folder, limit }) => (limit === undefined ? [] : [{ folder, limit }]))
    .toSorted((a, b) => a.limit - b.limit)[0];
}

const textOf = (path: string) => readFile(path, "utf8").catch(() => undefined);
