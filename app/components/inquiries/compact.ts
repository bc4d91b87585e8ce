/** The classes of a button in the row of a table, which is an icon from sm on, and of its label. */
export const COMPACT = "sm:size-7 sm:p-0 sm:pointer-coarse:size-11";
export const COMPACT_LABEL = "sm:sr-only";
