import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { untilWritable } from "./until-writable.ts";

/** An answer whose visitor reads nothing until told to, with more written than the connection takes. */
async function fullConnection() {
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
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  const { socket } = response;
  if (!socket) throw new Error("No connection");
  const writable = () => untilWritable(response, abort.signal);
  expect(await writable()).toBe(true);
  // Several times what the system itself takes off our hands.
  response.write("x".repeat(64_000_000));
  return { response, abort, visitor, writable };
}

test("a connection that is full is waited for, until the visitor reads (R27)", async () => {
  const { writable, visitor } = await fullConnection();
  let isFree = false;
  const queued = writable().then((free) => (isFree = free));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFree).toBe(false);
  visitor.resume();
  expect(await queued).toBe(true);
});

test("a visitor who leaves is not waited for (R20, R27)", async () => {
  const { writable, visitor } = await fullConnection();
  const queued = writable();
  visitor.destroy();
  expect(await queued).toBe(false);
});

test("an answer that is cut off is broken, not ended as if it were whole", async () => {
  const { writable, response, abort, visitor } = await fullConnection();
  const queued = writable();
  abort.abort();
  expect(await queued).toBe(false);
  expect(response.destroyed).toBe(true);
  visitor.resume();
  await once(visitor, "close");
});
