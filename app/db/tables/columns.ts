/** Epoch milliseconds, in a bigint column. */
export type EpochMs = number;

/** Boolean in an integer column. */
export type Truth = 0 | 1;
