/** Converts MiB (2^20) to bytes. */
export const mebibytes = (count: number): number => count * 1_048_576;
/** The specification's conversions (section 9). */
export const bytesToGigabytes = (bytes: number): number => bytes / 1_073_741_824;
export const bytesToMegabytes = (bytes: number): number => bytes / 1_048_576;
