import { describe, expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const SOCKET = "10.0.0.1";

describe("the client's address (C12)", () => {
  test.each([
    ["no proxy, so the header is ignored", "6.6.6.6", 0, SOCKET],
    ["one proxy", "203.0.113.9", 1, "203.0.113.9"],
    ["one proxy and a forged entry", "6.6.6.6, 203.0.113.9", 1, "203.0.113.9"],
    ["two proxies", "6.6.6.6, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"],
    ["a list shorter than the chain", "203.0.113.9", 2, SOCKET],
    ["no header", undefined, 1, SOCKET],
    ["an empty header", "", 1, SOCKET],
    ["what is no address", "unknown", 1, SOCKET],
    ["an address with a port", "203.0.113.9:5678", 1, "203.0.113.9"],
    ["IPv6 with a port", "[2001:db8::1]:5678", 1, "2001:db8::1"],
    ["a mapped address", "::ffff:203.0.113.9", 1, "203.0.113.9"],
  ])("%s", (_, header, proxies, expected) => expect(clientAddress(SOCKET, header, proxies)).toBe(expected));

  test("is IPv4 for a mapped address, and unknown for a closed socket", () => {
    expect(clientAddress("::ffff:127.0.0.1", undefined, 0)).toBe("127.0.0.1");
    expect(clientAddress(undefined, undefined, 0)).toBe("unknown");
  });
});
