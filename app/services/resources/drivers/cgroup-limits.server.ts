import { dirname, join } from "node:path";
import { readText } from "./read-text.server";

/** Paths of the control group's limits on Linux; replaced in tests. */
export const CGROUP_PLACES = { root: "/sys/fs/cgroup", self: "/proc/self/cgroup" };
export type CgroupPlaces = typeof CGROUP_PLACES;

/** Undefined where there is no limit. */
export interface ContainerLimits {
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
