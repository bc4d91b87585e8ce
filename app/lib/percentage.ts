/** Returns `part` as a whole percentage of `total`, rounded; 0 when `total` is 0 (specification, section 9). */
export function toPercentage(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * part) / total);
}

/** Formats a share with one decimal: "38.2%"; empty where there is nothing that it is a share of. */
export function formatShare(part: number, total: number): string {
  return total === 0 ? "" : `${((100 * part) / total).toFixed(1)}%`;
}
