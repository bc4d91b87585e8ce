import { useLayoutEffect } from "react";

/** useLayoutEffect in the browser, a no-op on the server, where React 18 would warn. */
export const useBeforePaint = typeof document === "undefined" ? () => undefined : useLayoutEffect;
