import { minutes } from "~/lib/durations";

/** Now, in epoch milliseconds. Services are given one, so that tests can move time. */
export type Clock = () => number;

/** How far the clocks of two instances, or ours and a sender's, may differ without anybody losing by it (hardening R35). */
export const CLOCK_TOLERANCE_MS = minutes(5);

/** Calls `callback` after so many milliseconds, unless what it returns is called before. */
export type SetTimer = (ms: number, callback: () => void) => () => void;

/** A timer of the process. Services are given their own in tests. */
export const setProcessTimer: SetTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
