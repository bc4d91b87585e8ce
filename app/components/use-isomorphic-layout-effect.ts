import { useEffect, useLayoutEffect } from "react";

/** useLayoutEffect, about which React 18 would warn on the server; effects run in the browser only, either way. */
export const useIsomorphicLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
