import { Agent } from "node:http";
import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendRequest } from "./send-request.server";

/** Sends a request to a server that writes `reply` and keeps the connection, or ends it. */
async function request(reply: string, { ms = 10_000, ends = false } = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => (ends ? socket.end(reply) : socket.write(reply)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const timeout = { ms, message: "no answer in time" };
  return sendRequest(new URL(`http://127.0.0.1:${port}/`), {
    method: "POST",
    headers: {},
    body: Buffer.from("x"),
    agent,
    timeout,
    maxBytes: 100,
  });
}

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";

describe("a request", () => {
  // R53
  it.each([
    ["keeps the connection", UPGRADE, false],
    ["ends the connection", UPGRADE, true],
    ["names no protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", false],
    ["sends more", `${UPGRADE}HTTP/1.1 200 OK\r\n\r\n`, false],
  ])("answered by 101 was handed over, when the server %s", async (_, reply, ends) => {
    expect(await request(reply, { ends })).toEqual({
      handedOver: true,
      reason: "the server switched protocols (101)",
    });
  });

  // R53
  it.each([
    ["102 alone", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["half a header", "HTTP/1.1 200 OK\r\nContent-"],
    ["nothing", ""],
  ])("answered by %s ends at its time limit", async (_, reply) => {
    expect(await request(reply, { ms: 100 })).toMatchObject({ handedOver: true });
  });

  // R53
  it("whose response does not end is cut off at its time limit", async () => {
    const reply = await request("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", { ms: 100 });
    expect(reply).toMatchObject({ status: 200, lost: { reason: "broke off: no answer in time" } });
  });

  // R53
  it.each([
    ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", /^broke off: /],
    [`HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n${"x".repeat(101)}`, /^is longer than 100 bytes$/],
  ])("says why the response is incomplete: %j", async (reply, reason) => {
    const lost = { reason: expect.stringMatching(reason) };
    expect(await request(reply, { ends: true })).toMatchObject({ status: 200, lost });
  });
});
