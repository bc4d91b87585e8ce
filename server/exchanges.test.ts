import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Exchanges, untilWritable } from "./exchanges.ts";

/** An exchange whose visitor reads nothing until told to, with more written than the connection takes. */
async function fullExchange() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const visitor = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  onTestFinished(() => {
    visitor.destroy();
    server.closeAllConnections();
    server.close();
  });
  visitor.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const exchange = { response, abort: new AbortController() };
  const { socket } = response;
  if (!socket) throw new Error("No connection");
  new Exchanges().open(socket, exchange, () => undefined);
  expect(await untilWritable(exchange)).toBe(true);
  // Several times what the system itself takes off our hands.
  response.write("x".repeat(64_000_000));
  return { exchange, visitor };
}

test("a connection that is full is waited for, until the visitor reads (R27)", async () => {
  const { exchange, visitor } = await fullExchange();
  let isFree = false;
  const waiting = untilWritable(exchange).then((writable) => (isFree = writable));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFree).toBe(false);
  visitor.resume();
  expect(await waiting).toBe(true);
});

test("a visitor who leaves is not waited for (R20, R27)", async () => {
  const { exchange, visitor } = await fullExchange();
  const waiting = untilWritable(exchange);
  visitor.destroy();
  expect(await waiting).toBe(false);
});

test("an answer that is cut off is broken, not ended as if it were whole", async () => {
  const { exchange, visitor } = await fullExchange();
  const waiting = untilWritable(exchange);
  exchange.abort.abort();
  expect(await waiting).toBe(false);
  expect(exchange.response.destroyed).toBe(true);
  visitor.resume();
  await once(visitor, "close");
});
