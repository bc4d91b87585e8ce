/**
 * How many of a thing a comparison goes through: what fits into the hour `npm run bench` may take on two cores, or what the
 * environment says, for larger runs and for smaller ones.
 */
export function benchSize(variable: `BENCH_${string}`, usual: number): number {
  const given = process.env[variable];
  const size = given === undefined ? usual : Number(given);
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`${variable} must be a whole number from 1`);
  return size;
}
