import { describe, expect, test } from "vitest";
import { hostMatchesOrigin, isValidHost } from "./host.ts";

// C12
describe("a Host header", () => {
  test.each([
    "a",
    "example.com",
    "EXAMPLE.com.",
    "my_service:3000",
    "127.0.0.1:80",
    "[::1]",
    "[2001:db8::1]:3000",
  ])("%s is valid", (host) => expect(isValidHost(host)).toBe(true));
  test.each([
    "",
    " ",
    "a b",
    "a/b",
    "a@b",
    "a?b",
    "a#b",
    "a\\b",
    "a:",
    "a:b",
    "a:99999",
    "a:1:2",
    "-a",
    "a,b",
    "1.2.3.999",
    "[::g]",
    "::1",
    "%61",
    "a%0a",
    "ü",
  ])("%j is invalid", (host) => expect(isValidHost(host)).toBe(false));
});

test.each([
  ["desk.example", "https://desk.example", true],
  ["DESK.example:443", "https://desk.example", true],
  ["desk.example:80", "https://desk.example", false],
  ["desk.example:3000", "http://desk.example:3000", true],
  ["desk.example", "http://desk.example:3000", false],
  ["evil.desk.example", "https://desk.example", false],
  ["", "https://desk.example", false],
  ["desk.example", "null", false],
  ["", "file:///x", false],
])("the Host %s matches the origin %s: %s", (host, origin, expected) =>
  expect(hostMatchesOrigin(host, origin)).toBe(expected),
);
