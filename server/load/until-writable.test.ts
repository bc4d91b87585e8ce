import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenInTest } from "../fixtures/listen-in-test.ts";
import { untilWritable } from "./until-writable.ts";

/** A response whose client reads nothing yet, with more written than the connection buffers. */
async function fullConnection() {
  const server = createServer();
  const visitor = connect(await listenInTest(server), "127.0.0.1").pause();
  onTestFinished(() => void visitor.destroy());
  visitor.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  const { socket } = response;
  if (!socket) throw new Error("No connection");
  const writable = () => untilWritable(response, abort.signal);
  expect(await writable()).toBe(true);
  // Several times what the system buffers.
  response.write("x".repeat(64_000_000));
  return { response, abort, visitor, writable };
}

// R27
test("waits for a full connection until the client reads", async () => {
  const { writable, visitor } = await fullConnection();
  let isFree = false;
  const queued = writable().then((free) => (isFree = free));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFree).toBe(false);
  visitor.resume();
  expect(await queued).toBe(true);
});

// R20, R27
test("resolves with false when the client leaves", async () => {
  const { writable, visitor } = await fullConnection();
  const queued = writable();
  visitor.destroy();
  expect(await queued).toBe(false);
});

test("destroys an aborted response instead of ending it", async () => {
  const { writable, response, abort, visitor } = await fullConnection();
  const queued = writable();
  abort.abort();
  expect(await queued).toBe(false);
  expect(response.destroyed).toBe(true);
  visitor.resume();
  await once(visitor, "close");
});
