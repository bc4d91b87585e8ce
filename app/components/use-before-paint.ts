import { useLayoutEffect } from "react";

/** useLayoutEffect, which is a no-op on the server, where React 18 warns of it. */
export const useBeforePaint = typeof document === "undefined" ? () => undefined : useLayoutEffect;
