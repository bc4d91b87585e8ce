/** Epoch milliseconds, in a bigint column. */
export type EpochMs = number;

/** Boolean in an integer column. */
export type IntegerBoolean = 0 | 1;
