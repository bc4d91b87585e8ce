/** Whose email is shown: the first recipient's, or that of somebody who left everything but the address empty. */
export const SAMPLES = ["first", "nameless"] as const;
export type Sample = (typeof SAMPLES)[number];
