/** Bytes in so many MiB (2^20). */
export const mebibytes = (count: number): number => count * 1_048_576;
