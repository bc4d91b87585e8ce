import type { Usage } from "./system-resources";

/** Less than this share of the whole is a matter of rounding. */
const ROUNDING = 0.01;

/**
 * Bytes of a disk that are neither used nor free: a file system keeps some for the system (statfs(2): `f_bfree` less
 * `f_bavail`), and the percentage, as df's, leaves them out.
 */
export function getReservedBytes({ usagePercentage, totalBytes, freeBytes }: Usage): number {
  if (usagePercentage >= 100) return 0;
  const used = (freeBytes * usagePercentage) / (100 - usagePercentage);
  const reserved = totalBytes - freeBytes - used;
  return reserved > totalBytes * ROUNDING ? reserved : 0;
}
