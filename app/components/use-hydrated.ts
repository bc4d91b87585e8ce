import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/** Returns false on the server and during hydration, true afterwards: for enhancements that need JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
