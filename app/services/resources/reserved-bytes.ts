import type { Usage } from "./system-resources";

/** Share of the total below which a difference is due to rounding. */
const ROUNDING = 0.01;

/**
 * Returns the bytes of a disk that are neither used nor free: a file system reserves some for the system
 * (statfs(2): `f_bfree` less `f_bavail`), and the percentage, like df's, excludes them.
 */
export function getReservedBytes({ usagePercentage, totalBytes, freeBytes }: Usage): number {
  if (usagePercentage >= 100) return 0;
  const used = (freeBytes * usagePercentage) / (100 - usagePercentage);
  const reserved = totalBytes - freeBytes - used;
  return reserved > totalBytes * ROUNDING ? reserved : 0;
}
