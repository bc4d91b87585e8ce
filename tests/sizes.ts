/**
 * How many of a thing a test goes through: all of it in `npm run test:faults`, enough to see a mistake in `npm test`, which has
 * minutes for everything.
 */
export const sizeOf = <Size>(size: { readonly daily: Size; readonly full: Size }): Size =>
  process.env.TEST_SIZE === "full" ? size.full : size.daily;
