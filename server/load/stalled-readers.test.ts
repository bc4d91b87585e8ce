import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenInTest } from "../fixtures/listen-in-test.ts";
import { StalledReaders } from "./stalled-readers.ts";

const MANY_BYTES = Buffer.alloc(64 * 1024 * 1024);

/** A connection and its paused reader. */
async function connected(): Promise<{ socket: Socket; reader: Socket }> {
  const server = createServer();
  const reader = connect(await listenInTest(server), "127.0.0.1").pause();
  const [socket] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => {
    reader.destroy();
    socket.destroy();
  });
  return { socket, reader };
}

test("a client that reads nothing of a response for 30 s is disconnected, and no other (C38)", async () => {
  const { socket: stalled } = await connected();
  const { socket: reading, reader } = await connected();
  const { socket: idle } = await connected();
  let now = 0;
  const readers = new StalledReaders(
    () => [stalled, reading, idle],
    () => now,
  );
  stalled.write(MANY_BYTES);
  reading.write(MANY_BYTES.subarray(0, 16 * 1024 * 1024));
  reading.write(MANY_BYTES);

  readers.check();
  now = 29_999;
  readers.check();
  expect([stalled, reading, idle].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);

  // It takes its first part, and then nothing more.
  let taken = 0;
  reader.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > 17 * 1024 * 1024) reader.pause();
  });
  reader.resume();
  await expect.poll(() => reading.writableLength).toBeLessThanOrEqual(MANY_BYTES.length);
  now = 30_000;
  readers.check();
  expect([stalled, reading, idle].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  now = 60_000;
  readers.check();
  expect([reading, idle].map(({ destroyed }) => destroyed)).toEqual([true, false]);
});
