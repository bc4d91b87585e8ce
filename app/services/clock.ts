import { minutes } from "~/lib/durations";

/** Now, in epoch milliseconds. Services are given one, so that tests can move time. */
export type Clock = () => number;

/** How far the clocks of two instances, or ours and a sender's, may differ without anybody losing by it (hardening R35). */
export const CLOCK_TOLERANCE_MS = minutes(5);
