import { createServer } from "node:http";
import { listen } from "../fakes/listen.ts";
import { serveCalls } from "./helper-process.ts";

/** A response as raw headers (name, value, name, value) and a body. */
export interface RawResponse {
  readonly headers: readonly string[];
  readonly base64: string;
}

let etag = "";
let full = { headers: [] as string[], body: Buffer.alloc(0) };
let notModifiedHeaders: string[] = [];
const server = createServer((request, response) => {
  const known = request.headers["if-none-match"];
  if (known === "*" || (known !== undefined && known === etag)) {
    response.writeHead(304, notModifiedHeaders);
    response.end();
  } else {
    response.writeHead(200, full.headers);
    response.end(full.body);
  }
});
const port = await listen(server);

/** Sets the responses to serve: the full one, and the one to a request whose stored copy is still valid. */
export async function setResponses(responses: { full: RawResponse; notModified: RawResponse }) {
  const { headers, base64 } = responses.full;
  full = { headers: [...headers], body: Buffer.from(base64, "base64") };
  notModifiedHeaders = [...responses.notModified.headers];
  etag = notModifiedHeaders[notModifiedHeaders.indexOf("ETag") + 1] ?? "";
  return { port };
}

serveCalls(setResponses);
