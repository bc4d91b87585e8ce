import { expect, test } from "vitest";
import { createRawResponse, getErrorStatus } from "./client-error.ts";

const failure = (code: string, packet = "") =>
  Object.assign(new Error(), { code, rawPacket: Buffer.from(packet) });

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "", 408],
  ["HPE_HEADER_OVERFLOW", "", 431],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "", 413],
  ["HPE_INVALID_METHOD", "FOO / HTTP/1.1\r\n\r\n", 405],
  ["HPE_INVALID_METHOD", "\x16\x03\x01", 400],
  ["HPE_INVALID_METHOD", "hello there\r\n", 400],
  ["HPE_INVALID_CONTENT_LENGTH", "", 400],
  ["HPE_ANYTHING", "", 400],
])("%s after %j is answered %i", (code, packet, status) =>
  expect(getErrorStatus(failure(code, packet))).toBe(status),
);

test("a raw response closes the connection and has a Content-Length", () => {
  const text = createRawResponse(400, "id", { https: false, development: false });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toContain("\r\nConnection: close\r\n");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`);
});
