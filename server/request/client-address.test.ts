import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const CONNECTION = "10.0.0.1";

// C12
test.each([
  ["no proxy, so the header is ignored", "6.6.6.6", 0, CONNECTION],
  ["one proxy", "203.0.113.9", 1, "203.0.113.9"],
  ["one proxy and a forged entry", "6.6.6.6, 203.0.113.9", 1, "203.0.113.9"],
  ["two proxies", "6.6.6.6, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"],
  ["a list shorter than the chain", "203.0.113.9", 2, CONNECTION],
  ["no header, or an empty one", "", 1, CONNECTION],
  ["what is no address", "unknown", 1, CONNECTION],
  ["an address with a port", "203.0.113.9:5678", 1, "203.0.113.9"],
  ["IPv6 with a port", "[2001:db8::1]:5678", 1, "2001:db8::1"],
  ["a mapped address", "::ffff:203.0.113.9", 1, "203.0.113.9"],
])("the client's address: %s", (_, header, proxies, expected) =>
  expect(clientAddress(CONNECTION, header, proxies)).toBe(expected),
);
