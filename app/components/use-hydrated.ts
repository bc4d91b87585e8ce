import { useSyncExternalStore } from "react";

const nothingToWatch = () => () => undefined;

/** False in the server's HTML and while it is taken over, true from then on: for upgrades that need JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    nothingToWatch,
    () => true,
    () => false,
  );
}

/**
 * What holds back the page behind an open dialog, to be spread onto it: without JavaScript `inert`, which React 18 has no type for.
 * With JavaScript the dialog is modal, and the browser holds the page back.
 */
export function useInert(hasDialog: boolean): { inert?: "" } {
  const hydrated = useHydrated();
  return hasDialog && !hydrated ? { inert: "" } : {};
}
