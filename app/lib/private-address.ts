import { BlockList, isIP } from "node:net";

/** Networks without public services: this machine, private and link-local ones, and other ranges (RFC 6890). */
const PRIVATE: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Parts of 2000::/3, the only assigned IPv6 range, that lead back into an IPv4 network, or nowhere. */
const SPECIAL: typeof PRIVATE = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
];

const privateList = new BlockList();
for (const [network, bits] of PRIVATE) privateList.addSubnet(network, bits, "ipv4");
for (const [network, bits] of SPECIAL) privateList.addSubnet(network, bits, "ipv6");
const globalList = new BlockList();
globalList.addSubnet("2000::", 3, "ipv6");

/** Returns whether an address is not on the public internet, or not an address at all. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return privateList.check(address, "ipv4");
  return family !== 6 || !globalList.check(address, "ipv6") || privateList.check(address, "ipv6");
}
