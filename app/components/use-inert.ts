import { useHydrated } from "~/components/use-hydrated";

/** Returns `inert`, unknown to React 18's types, for the page behind a dialog that JavaScript has not made modal. */
export function useInert(hasDialog: boolean): { inert?: "" } {
  const hydrated = useHydrated();
  return hasDialog && !hydrated ? { inert: "" } : {};
}
