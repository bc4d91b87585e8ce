import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenInTest } from "../fixtures/listen-in-test.ts";
import { BodyReceiver, type Received } from "./body-receiver.ts";

const MIB = 1024 * 1024;

/** Starts a server that records what it received, by path. */
async function startReceiving(after?: (request: IncomingMessage) => Promise<void>) {
  const receiver = new BodyReceiver();
  const received = new Map<string, Received>();
  const server = createServer(async (request, response) => {
    const { network = "", limited } = request.headers as Record<string, string>;
    const length = Number(request.headers["content-length"]);
    const result = await receiver.receive(request, length, { network, isLimited: limited === "yes" });
    received.set(request.url ?? "", result);
    if (result.ok) await after?.(request);
    response.end("done");
  });
  const port = await listenInTest(server);
  /** Sends the headers and the first bytes of the body. */
  function send(name: string, network: string, limited: "yes" | "no", length: number, first: Buffer): Socket {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    const head = [`POST ${name} HTTP/1.1`, "Host: a", `Network: ${network}`, `Limited: ${limited}`];
    socket.write(`${head.join("\r\n")}\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(first);
    return socket;
  }
  return { receiver, received, send };
}

const until = (condition: () => unknown) => expect.poll(condition, { timeout: 10_000 });

describe("receiving a body (C38)", () => {
  test("leaves the request readable, whatever the pieces of the body", async () => {
    const bodies: Buffer[] = [];
    const { received, send } = await startReceiving(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      bodies.push(await buffer(request));
    });
    const body = Buffer.from("name=Ada&email=ada%40example.com");
    const socket = send("/a", "n", "yes", body.length, body.subarray(0, 3));
    for (const byte of body.subarray(3)) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const large = Buffer.alloc(2 * MIB, "x");
    send("/b", "n", "yes", large.length, large);
    await until(() => bodies.length).toBe(2);
    expect(bodies.map(String).toSorted((a, b) => a.length - b.length)).toEqual([`${body}`, `${large}`]);
    expect([...received.values()].map(({ ok }) => ok)).toEqual([true, true]);
  });

  test("releases the bytes of a client that leaves", async () => {
    const { receiver, received, send } = await startReceiving();
    const socket = send("/a", "n", "yes", 100, Buffer.from("half"));
    await until(() => receiver.bytes).toBe(4);
    socket.destroy();
    await until(() => received.get("/a")).toEqual({ ok: false, error: "left" });
    expect(receiver.bytes).toBe(0);
  });
});

describe("the limits of unfinished bodies (C38)", () => {
  test("refuse a network's 65th body, and none of another network", async () => {
    const { receiver, received, send } = await startReceiving();
    for (let index = 0; index < 64; index += 1) send(`/${index}`, "n", "yes", 10, Buffer.from("x"));
    await until(() => receiver.bytes).toBe(64);
    send("/65", "n", "yes", 10, Buffer.from("x"));
    await until(() => received.get("/65")).toEqual({ ok: false, error: "too-many" });
    send("/other", "m", "yes", 1, Buffer.from("x"));
    await until(() => received.get("/other")?.ok).toBe(true);
  });

  test("refuse more than 4 MiB of a network, unless it may be a proxy", async () => {
    const { received, send } = await startReceiving();
    send("/small", "n", "yes", 10, Buffer.from("x"));
    send("/large", "n", "yes", 5 * MIB, Buffer.alloc(4 * MIB));
    await until(() => received.get("/large")).toEqual({ ok: false, error: "too-many" });
    send("/proxied", "p", "no", 5 * MIB, Buffer.alloc(5 * MIB));
    await until(() => received.get("/proxied")?.ok).toBe(true);
    expect(received.has("/small")).toBe(false);
  });

  test("abort the oldest body of the network that holds most, beyond 64 MiB in all", async () => {
    const { receiver, received, send } = await startReceiving();
    send("/visitor", "v", "no", 2 * MIB, Buffer.alloc(MIB));
    await until(() => receiver.bytes).toBe(MIB);
    for (let index = 0; index < 31; index += 1) {
      send(`/${index}`, "flood", "no", 3 * MIB, Buffer.alloc(2 * MIB));
      await until(() => receiver.bytes).toBe((1 + 2 * (index + 1)) * MIB);
    }
    send("/more", "flood", "no", 3 * MIB, Buffer.alloc(2 * MIB));
    await until(() => received.get("/0")).toEqual({ ok: false, error: "too-many" });
    expect([...received.keys()]).toEqual(["/0"]);
  });
});
