/**
 * Returns the full size or time limit in `npm run test:faults`, which has the machine to itself, and in `npm
 * test` one that shows a mistake on a busy machine.
 */
export const chooseSize = <Size>(size: { readonly daily: Size; readonly full: Size }): Size =>
  process.env.TEST_SIZE === "full" ? size.full : size.daily;

/**
 * Whether this is `npm run test:faults`, which alone runs the longest of a file's tests. `npm test` proves the same
 * promise by a cheaper one.
 */
export const isFullSize = chooseSize({ daily: false, full: true });

/** Returns a promised time limit in milliseconds; in `npm test`, on a busy machine, a minute. */
export const promisedMs = (full: number): number => chooseSize({ daily: 60_000, full });
