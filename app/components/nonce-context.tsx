import { createContext } from "react";

/** The nonce of this response's scripts. The server provides it; in the browser it is undefined, and never needed. */
export const NonceContext = createContext<string | undefined>(undefined);

/** The id under which the server's log holds this request; shown on error pages that the server rendered. */
export const RequestIdContext = createContext<string | undefined>(undefined);
