import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { answerQuestions } from "./helper-process.ts";

/** A response as raw headers (name, value, name, value) and a body. */
export interface Bytes {
  readonly headers: readonly string[];
  readonly base64: string;
}
/** Responses to serve: the full one, and the one to a request whose copy is still valid. */
export interface BareQuestion {
  readonly whole: Bytes;
  readonly unchanged: Bytes;
}
export interface BareAnswer {
  readonly port: number;
}

let etag = "";
let whole = { headers: [] as string[], body: Buffer.alloc(0) };
let unchangedHeaders: string[] = [];
const server = createServer((request, response) => {
  const known = request.headers["if-none-match"];
  if (known === "*" || (known !== undefined && known === etag)) {
    response.writeHead(304, unchangedHeaders);
    response.end();
  } else {
    response.writeHead(200, whole.headers);
    response.end(whole.body);
  }
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

answerQuestions<BareQuestion, BareAnswer>(async (question) => {
  whole = { headers: [...question.whole.headers], body: Buffer.from(question.whole.base64, "base64") };
  unchangedHeaders = [...question.unchanged.headers];
  etag = unchangedHeaders[unchangedHeaders.indexOf("ETag") + 1] ?? "";
  return { port: (server.address() as AddressInfo).port };
});
