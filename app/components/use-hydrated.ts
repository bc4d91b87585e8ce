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
