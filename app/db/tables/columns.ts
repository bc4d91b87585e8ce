/** Epoch milliseconds, in a bigint column. */
export type EpochMs = number;

/** In an integer column. */
export type Truth = 0 | 1;
