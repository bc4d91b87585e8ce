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

/**
 * Returns props for the page behind an open dialog: without JavaScript `inert`, which React 18 has no type
 * for. With JavaScript the dialog is modal, and the browser makes the page inert.
 */
export function useInert(hasDialog: boolean): { inert?: "" } {
  const hydrated = useHydrated();
  return hasDialog && !hydrated ? { inert: "" } : {};
}
