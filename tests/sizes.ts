/**
 * Returns the full size or time limit in `npm run test:faults`, which has the machine to itself, and in `npm
 * test` one that shows a mistake on a busy machine.
 */
export const chooseSize = <Size>(size: { readonly daily: Size; readonly full: Size }): Size =>
  process.env.TEST_SIZE === "full" ? size.full : size.daily;

/** Returns a promised time limit in milliseconds; in `npm test`, on a busy machine, a minute. */
export const promisedMs = (full: number): number => chooseSize({ daily: 60_000, full });
