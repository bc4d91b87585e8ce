import { createContext } from "react";

/** The nonce of this response's scripts. Provided by the server; undefined in the browser, where it is not needed. */
export const NonceContext = createContext<string | undefined>(undefined);
