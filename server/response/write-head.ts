import { type ServerResponse, STATUS_CODES } from "node:http";
import onHeaders from "on-headers";
import type { ExistingHeaders, HeaderChanges } from "./response-headers.ts";

type Decide = (status: number, existing: ExistingHeaders) => { status: number; headers: HeaderChanges };

/**
 * Lets the guard override a response's headers, and its status, whoever writes them. Middleware that also uses
 * on-headers (compression, morgan) comes later and so runs before this.
 */
export function overrideHeaders(response: ServerResponse, decide: Decide): void {
  onHeaders(response, () => {
    try {
      override(response, decide);
    } catch (error) {
      // The next attempt, such as an error page of Express, would not come here again.
      response.destroy();
      throw error;
    }
  });
}

function override(response: ServerResponse, decide: Decide): void {
  const { status, headers } = decide(response.statusCode, getExistingHeaders(response));
  if (status !== response.statusCode) {
    response.statusCode = status;
    // The reason that was given belongs to the status that was given.
    response.statusMessage = STATUS_CODES[status] ?? "";
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) response.removeHeader(name);
    else response.setHeader(name, value);
  }
}

function getExistingHeaders(response: ServerResponse): ExistingHeaders {
  // Node also stores numbers and lists.
  const text = (name: string) => [response.getHeader(name) ?? ""].flat().join(", ");
  return {
    contentType: text("content-type"),
    contentSecurityPolicy: text("content-security-policy"),
    cacheControl: text("cache-control"),
    vary: text("vary"),
  };
}
