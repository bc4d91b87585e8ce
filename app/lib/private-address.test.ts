import { expect, it } from "vitest";
import { isPrivateAddress } from "./private-address";

it.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::ffff:8.8.8.8",
  "fe80::1",
  "fc00::1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
  "localhost",
])("%s is private", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each([
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.0",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450:4001::200a",
])("%s is public", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
