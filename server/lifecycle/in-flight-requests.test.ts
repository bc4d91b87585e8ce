import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { InFlightRequests } from "./in-flight-requests.ts";

const createSocket = (remoteAddress?: string) =>
  Object.assign(new EventEmitter(), { remoteAddress }) as Socket;

test("a connection's address is read once and forgotten at its end", () => {
  const requests = new InFlightRequests();
  const socket = createSocket("::ffff:127.0.0.1");
  const connection = requests.getConnection(socket);
  expect(connection.address).toBe("127.0.0.1");
  expect(requests.getConnection(socket)).toBe(connection);
  expect(requests.getConnection(createSocket()).address).toBe("unknown");
  socket.emit("close");
  expect(requests.getConnection(socket)).not.toBe(connection);
});
