/**
 * How many of a thing a test goes through, and in what time: all of it and as promised in `npm run test:faults`, which has the
 * machine to itself; enough to see a mistake in `npm test`, which has minutes for everything and no quiet.
 */
export const sizeOf = <Size>(size: { readonly daily: Size; readonly full: Size }): Size =>
  process.env.TEST_SIZE === "full" ? size.full : size.daily;

/**
 * A time that is promised, in milliseconds: as promised in `npm run test:faults`; in `npm test` a minute, so that what never comes
 * is noticed and a busy machine is not.
 */
export const promisedMs = (full: number): number => sizeOf({ daily: 60_000, full });
