import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { answerQuestions } from "./helper-process.ts";

/** What every request is answered with. */
export interface BareQuestion {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly base64: string;
}
export interface BareAnswer {
  readonly port: number;
}

let answer = { status: 200, headers: [] as string[], body: Buffer.alloc(0) };
const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

answerQuestions<BareQuestion, BareAnswer>(async ({ status, headers, base64 }) => {
  answer = { status, headers: [...headers], body: Buffer.from(base64, "base64") };
  return { port: (server.address() as AddressInfo).port };
});
