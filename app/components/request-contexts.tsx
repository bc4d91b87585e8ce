import { createContext } from "react";

/** The nonce of this response's scripts. Provided by the server; undefined in the browser, where it is not needed. */
export const NonceContext = createContext<string | undefined>(undefined);

/** The request's id in the server's log; shown on error pages that the server rendered. */
export const RequestIdContext = createContext<string | undefined>(undefined);
