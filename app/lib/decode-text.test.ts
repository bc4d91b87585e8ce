import { expect, it } from "vitest";
import { decodeText } from "./decode-text";

const TEXT = "Email\r\nada@müller.example\n王\n";
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

// R47
it.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TEXT}`)],
  ["UTF-16", utf16(TEXT)],
  ["UTF-16 with the bytes the other way round", utf16(TEXT).swap16()],
])("reads a file in %s", (_, bytes) => {
  expect(decodeText(bytes)).toEqual({ ok: true, text: TEXT });
});

// R47
it.each([
  ["an umlaut in Latin-1", Buffer.from("Email\r\na@b.co\r\nGr\xfc\xdfe\r\n", "latin1"), 3],
  ["a sequence that is cut", Buffer.from("a\n\xc3", "latin1"), 2],
  ["an overlong sequence", Buffer.from("\xc0\xaf\n", "latin1"), 1],
  ["half of a UTF-16 unit at the end", utf16("a\nb").subarray(0, -1), 2],
  ["a lone surrogate", utf16("a\rb\r\n\ud800"), 3],
  ["UTF-16 without a byte order mark", utf16("a@b.co").subarray(2), 1],
  ["UTF-32", Buffer.from("\xff\xfe\0\0a\0\0\0", "latin1"), 1],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), 1],
])("names the line of %s", (_, bytes, line) => {
  expect(decodeText(bytes)).toEqual({ ok: false, line });
});

it("reads an empty file", () => expect(decodeText(new Uint8Array())).toEqual({ ok: true, text: "" }));
