/**
 * Returns the size of a comparison: the usual one fits into the hour `npm run bench` may take on two cores; the
 * environment variable sets larger or smaller ones.
 */
export function benchSize(variable: `BENCH_${string}`, usual: number): number {
  const given = process.env[variable];
  const size = given === undefined ? usual : Number(given);
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`${variable} must be a whole number from 1`);
  return size;
}
