/** Returns the maxLength of a field for so many code points: browsers count UTF-16 units, and one has up to two. */
export function toMaxLength(points: number): number {
  return 2 * points;
}
