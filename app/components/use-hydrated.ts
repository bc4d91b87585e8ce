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

/** Returns `inert`, unknown to React 18's types, for the page behind a dialog that JavaScript has not made modal. */
export function useInert(hasDialog: boolean): { inert?: "" } {
  const hydrated = useHydrated();
  return hasDialog && !hydrated ? { inert: "" } : {};
}
