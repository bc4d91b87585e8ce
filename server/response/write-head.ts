import { STATUS_CODES } from "node:http";
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ExistingHeaders, HeaderChanges } from "./response-headers.ts";

type Argument = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Lets the guard override a response's headers, and its status. Every response passes writeHead, whoever creates it; middleware
 * that wraps it later (compression, morgan) runs before this.
 */
export function overrideHeaders(
  response: ServerResponse,
  decide: (status: number, existing: ExistingHeaders) => { status: number; headers: HeaderChanges },
): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, reason?: string | Argument, headers?: Argument) => {
    // A second call is a bug of the application: Node reports it better than setHeader below would.
    if (response.headersSent) return writeHead(status);
    if (typeof reason === "string") response.statusMessage = reason;
    adopt(response, typeof reason === "object" ? reason : headers);
    const decided = decide(status, getExistingHeaders(response));
    // The reason that was given belongs to the status that was given.
    if (decided.status !== status) response.statusMessage = STATUS_CODES[decided.status] ?? "";
    for (const [name, value] of Object.entries(decided.headers)) {
      if (value === undefined) response.removeHeader(name);
      else response.setHeader(name, value);
    }
    return writeHead(decided.status);
  };
}

/** Turns headers passed to writeHead into ordinary ones, or they would be sent beside ours. */
function adopt(response: ServerResponse, headers: Argument | undefined): void {
  if (!headers) return;
  if (Array.isArray(headers)) return adoptList(response, headers.flat().map(String));
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

/** Sets headers from Node's raw form: name, value, name, value, in which a name (Set-Cookie) may repeat. */
function adoptList(response: ServerResponse, list: readonly string[]): void {
  const pairs = list.flatMap((name, index) =>
    index % 2 === 0 ? [[name, list[index + 1] ?? ""] as const] : [],
  );
  for (const [name] of pairs) response.removeHeader(name);
  for (const [name, value] of pairs) response.appendHeader(name, value);
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
