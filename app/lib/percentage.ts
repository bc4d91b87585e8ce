/** The part as a whole percentage of the total, rounded; 0 when there is no total (specification, section 9). */
export function percentageOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * part) / total);
}
