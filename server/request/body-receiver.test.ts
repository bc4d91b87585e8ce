import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenInTest } from "../fixtures/listen-in-test.ts";
import { BodyReceiver, type Received } from "./body-receiver.ts";

const MIB = 1024 * 1024;

/** Starts a server that records what it received, by path. */
async function startReceiving(
  after?: (request: IncomingMessage) => Promise<void>,
  before?: (request: IncomingMessage) => Promise<void>,
) {
  const receiver = new BodyReceiver();
  const received = new Map<string, Received>();
  const server = createServer(async (request, response) => {
    const { network = "", site = network, limited } = request.headers as Record<string, string>;
    const contentLength = request.headers["content-length"];
    const length = contentLength === undefined ? undefined : Number(contentLength);
    const sender = { network, site, isLimited: limited === "yes" };
    await before?.(request);
    const result = await receiver.receive(request, { length, limit: 100 }, sender);
    received.set(request.url ?? "", result);
    if (result.ok) await after?.(request);
    response.end("done");
  });
  const port = await listenInTest(server);
  /** Sends the headers and the first bytes of the body. */
  function send(name: string, network: string, limited: "yes" | "no", length: number, first: Buffer): Socket {
    const socket = open(name, [`Network: ${network}`, `Limited: ${limited}`, `Content-Length: ${length}`]);
    socket.write(first);
    return socket;
  }
  function open(name: string, headers: readonly string[]): Socket {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(`${[`POST ${name} HTTP/1.1`, "Host: a", ...headers].join("\r\n")}\r\n\r\n`);
    return socket;
  }
  return { receiver, received, send, open };
}

const until = (condition: () => unknown) => expect.poll(condition, { timeout: 10_000 });

// C38
describe("receiving a body", () => {
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

  test("keeps no place for a client that left before", async () => {
    const { received, send } = await startReceiving(undefined, async (request) => {
      if (request.url !== "/last") await new Promise((resolve) => request.once("close", resolve));
    });
    for (let n = 0; n < 64; n += 1) send(`/${n}`, "n", "yes", 5, Buffer.from("half")).end();
    await until(() => received.size).toBe(64);
    expect(new Set([...received.values()].map((each) => !each.ok && each.error))).toEqual(new Set(["left"]));
    send("/last", "n", "yes", 5, Buffer.from("whole"));
    await until(() => received.get("/last")?.ok).toBe(true);
  });
});

// R49
describe("receiving a chunked body", () => {
  const CHUNKED = ["Network: n", "Limited: yes", "Transfer-Encoding: chunked"];
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  test.each([
    ["in one packet", [`${chunk("name=Ada")}${chunk("&x=1")}0\r\n\r\n`]],
    ["in pieces", [chunk("name="), chunk("Ada"), chunk("&x=1"), "0\r\n", "\r\n"]],
    ["with trailers", [chunk("name=Ada&x=1"), "0\r\nX-Later: 1\r\n\r\n"]],
  ])("leaves the request readable: %s", async (_, pieces) => {
    const bodies: string[] = [];
    const { received, open } = await startReceiving(async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      bodies.push(String(await buffer(request)));
    });
    const socket = open("/a", CHUNKED);
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => bodies).toEqual(["name=Ada&x=1"]);
    expect(received.get("/a")).toMatchObject({ ok: true });
  });

  test("accepts one of exactly the limit and refuses one byte more as it arrives", async () => {
    const { receiver, received, open } = await startReceiving(async (request) => void request.resume());
    open("/limit", CHUNKED).write(`${chunk("x".repeat(100))}0\r\n\r\n`);
    await until(() => received.get("/limit")?.ok).toBe(true);
    open("/more", CHUNKED).write(`${chunk("x".repeat(60))}${chunk("x".repeat(41))}`);
    await until(() => received.get("/more")).toEqual({ ok: false, error: "too-long" });
    open("/empty", CHUNKED).write("0\r\n\r\n");
    await until(() => received.get("/empty")).toEqual({ ok: false, error: "empty" });
    expect(receiver.bytes).toBe(0);
  });
});

// C38
describe("the limits of unfinished bodies", () => {
  // C49
  test("refuse a site's 257th body, whatever its networks", async () => {
    const { receiver, received, open } = await startReceiving();
    const send = (index: number, site: string) =>
      open(`/${index}`, [`Network: ${index}`, `Site: ${site}`, "Limited: yes", "Content-Length: 9"]).write(
        "x",
      );
    for (let index = 0; index < 256; index += 1) send(index, "s");
    await until(() => receiver.bytes).toBe(256);
    send(257, "s");
    await until(() => received.get("/257")).toEqual({ ok: false, error: "too-many" });
    send(258, "other");
    await until(() => receiver.bytes).toBe(257);
  });

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
