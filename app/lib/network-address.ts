/** Network addresses of visitors, for comparison and records. Pure functions of text: no sockets, no lookups. */
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Normalises an address: `::ffff:1.2.3.4`, an IPv4 visitor of a dual-stack socket, becomes `1.2.3.4`. */
export const plainAddress = (address: string): string => parseAddress(address).plain;

/** Shortens an address to the network that may be stored: `203.0.113.0`, `2001:db8:7::` (48 bits), else `unknown`. */
export function shortenAddress(address: string): string {
  const { plain, groups } = parseAddress(address);
  if (DOTTED.test(plain)) {
    const isAddress = plain.split(".").every((octet) => Number(octet) <= 255);
    return isAddress ? plain.replace(/\d+$/, "0") : "unknown";
  }
  const network = groups?.slice(0, 3);
  if (!network) return "unknown";
  while (network.at(-1) === "0") network.pop();
  return `${network.join(":")}::`;
}

/** Formats a shortened address for people: `203.0.113.x`, `2001:db8:7:x`. */
export function formatNetwork(network: string): string {
  if (DOTTED.test(network)) return network.replace(/0$/, "x");
  if (network === "::") return "::x";
  return network.endsWith("::") ? `${network.slice(0, -1)}x` : "an unknown network";
}

/** Returns the key by which limits count: an IPv4 address, or the /64 of an IPv6 one, which one household owns. */
export function limitKey(address: string): string {
  const { plain, groups } = parseAddress(address);
  return groups?.slice(0, 4).join(":") ?? plain;
}

/** Returns an address in its plain form, and the groups of one that stays IPv6. */
function parseAddress(address: string): { plain: string; groups?: string[] | undefined } {
  if (DOTTED.test(address)) return { plain: address };
  const plain = withoutZone(address);
  const groups = ipv6Groups(plain);
  if (groups?.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return { plain, groups };
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return { plain: [high >> 8, high & 255, low >> 8, low & 255].join(".") };
}

/** Returns the address without a URL's brackets and a link-local address' zone (`fe80::1%eth0`), in lower case. */
function withoutZone(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/%.*$/, "");
}

/** Returns the eight groups of an IPv6 address in lower case and without leading zeros; undefined for anything else. */
function ipv6Groups(address: string): string[] | undefined {
  if (!/^[\da-f.]*:[\da-f:.]*$/.test(address)) return undefined;
  // As a host, a URL has it in its canonical form (RFC 5952): in brackets, compressed, without dots.
  const host = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = [], tail = []] = host.split("::").map((half) => half.split(":").filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
