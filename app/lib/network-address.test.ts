import { describe, expect, test } from "vitest";
import {
  getNetwork,
  getNetworks,
  getSite,
  formatNetwork,
  plainAddress,
  shortenAddress,
} from "./network-address";

describe("shortenAddress", () => {
  test.each([
    ["203.0.113.77", "203.0.113.0"],
    ["::ffff:203.0.113.77", "203.0.113.0"],
    ["::FFFF:203.0.113.77", "203.0.113.0"],
    ["::ffff:cb00:714d", "203.0.113.0"],
    ["2001:db8:7:1234:5678:9abc:def0:1", "2001:db8:7::"],
    ["2001:0DB8:0007::1", "2001:db8:7::"],
    ["2001:db8::1", "2001:db8::"],
    ["[2001:db8:7::1]", "2001:db8:7::"],
    ["fe80::1%eth0", "fe80::"],
    ["::1", "::"],
  ])("%s becomes %s", (address, expected) => expect(shortenAddress(address)).toBe(expected));

  test.each([
    "",
    "unknown",
    "example.com",
    "1.2.3",
    "999.1.1.1",
    "1:2:3",
    "1::2::3",
    "::ffff:1.2.3.999",
    "g::1",
  ])("%j is unknown", (address) => expect(shortenAddress(address)).toBe("unknown"));
});

test.each([
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::ffff:102:304", "1.2.3.4"],
  ["1.2.3.4", "1.2.3.4"],
  ["2001:DB8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
])("the plain form of %s is %s", (address, expected) => expect(plainAddress(address)).toBe(expected));

// C49
test.each([
  ["203.0.113.9", "203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.9"],
  ["2001:db8:7:1::5", "2001:db8:7:1::/64", "2001:db8:7::/48"],
  ["2001:db8:7:1:9999::6", "2001:db8:7:1::/64", "2001:db8:7::/48"],
  ["unknown", "unknown", "unknown"],
])("%s is the client %s of the site %s", (address, network, site) => {
  expect([getNetwork(address), getSite(address)]).toEqual([network, site]);
});

// C49
test("counts an IPv6 address by its /64, /56 and /48, with higher numbers", () => {
  expect(getNetworks("2001:db8:7:12ff::5")).toEqual([
    { key: "2001:db8:7:12ff::/64", share: 1 },
    { key: "2001:db8:7:1200::/56", share: 4 },
    { key: "2001:db8:7::/48", share: 10 },
  ]);
  expect(getNetworks("203.0.113.9")).toEqual([{ key: "203.0.113.9", share: 1 }]);
});

test.each([
  ["203.0.113.0", "203.0.113.x"],
  ["10.0.0.0", "10.0.0.x"],
  ["2001:db8:7::", "2001:db8:7:x"],
  ["::", "::x"],
  ["unknown", "an unknown network"],
  ["", "an unknown network"],
])("the network %j is read as %s", (network, words) => {
  expect(formatNetwork(network)).toBe(words);
});
