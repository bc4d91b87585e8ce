/**
 * Returns the size of a test, a number of items or a time limit: the full one in `npm run test:faults`, which
 * has the machine to itself; one large enough to show a mistake in `npm test`, which shares a busy machine and
 * takes minutes in all.
 */
export const sizeOf = <Size>(size: { readonly daily: Size; readonly full: Size }): Size =>
  process.env.TEST_SIZE === "full" ? size.full : size.daily;

/**
 * Returns a promised time limit in milliseconds: as promised in `npm run test:faults`; a minute in `npm test`,
 * which detects a missing event but tolerates a busy machine.
 */
export const promisedMs = (full: number): number => sizeOf({ daily: 60_000, full });
