/** Calls `callback` after `ms` milliseconds, unless the returned function cancels it before. */
export type SetTimer = (ms: number, callback: () => void) => () => void;

/** Timer of the process. Tests give services their own. */
export const setProcessTimer: SetTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
