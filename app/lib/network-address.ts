import ipaddr from "ipaddr.js";

/** Network addresses of visitors, for comparison and records. Pure functions of text: no sockets, no lookups. */

/** Normalises an address: `::ffff:1.2.3.4`, an IPv4 visitor of a dual-stack socket, becomes `1.2.3.4`. */
export const plainAddress = (address: string): string => parse(address)?.toString() ?? clean(address);

/** Shortens an address to the network that may be stored: `203.0.113.0`, `2001:db8:7::` (48 bits), else `unknown`. */
export function shortenAddress(address: string): string {
  const parsed = parse(address);
  if (!parsed) return "unknown";
  return isIpv4(parsed) ? parsed.toString().replace(/\d+$/, "0") : cut(parsed, 48);
}

/** Formats a shortened address for people: `203.0.113.x`, `2001:db8:7:x`. */
export function formatNetwork(network: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(network)) return network.replace(/0$/, "x");
  if (network === "::") return "::x";
  return network.endsWith("::") ? `${network.slice(0, -1)}x` : "an unknown network";
}

/** Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 one, which one household has. */
export const getNetwork = (address: string): string => getNetworks(address)[0].key;

/** Returns the network of one customer at most: an IPv4 address, or the /48 of an IPv6 one (RFC 6177). */
export const getSite = (address: string): string => getNetworks(address).at(-1)?.key ?? "";

export interface CountedNetwork {
  /** `203.0.113.9`, `2001:db8:7:1::/64`. */
  readonly key: string;
  /** How many times as much as from one client is allowed from it. */
  readonly share: number;
}

/**
 * Networks by which an address is counted, the smallest first. An IPv6 customer has a /64, a /56 or a /48, and
 * providers of mobile phones give each phone a /64 of a larger network.
 */
export function getNetworks(address: string): readonly [CountedNetwork, ...CountedNetwork[]] {
  const parsed = parse(address);
  if (!parsed || isIpv4(parsed)) return [{ key: parsed?.toString() ?? clean(address), share: 1 }];
  return [
    { key: `${cut(parsed, 64)}/64`, share: 1 },
    { key: `${cut(parsed, 56)}/56`, share: 4 },
    { key: `${cut(parsed, 48)}/48`, share: 10 },
  ];
}

/** Parses an address, also one in a URL's brackets or with a link-local zone (`fe80::1%eth0`). */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = clean(address);
  // Without this check `1.2.3`, `0x7f.1` and `0177.0.0.1` are addresses, too.
  if (!text.includes(":"))
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

function clean(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/%.*$/, "");
}

const isIpv4 = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv4 => address.kind() === "ipv4";

const cut = (address: ipaddr.IPv6, bits: number): string =>
  ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString();
