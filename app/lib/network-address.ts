/** Network addresses of visitors, for comparison and records. Pure functions of text: no sockets, no lookups. */
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const GROUP = /^[0-9a-f]{1,4}$/;

/** Normalises an address: `::ffff:1.2.3.4`, an IPv4 visitor of a dual-stack socket, becomes `1.2.3.4`. */
export function plainAddress(address: string): string {
  if (DOTTED.test(address)) return address;
  const bare = withoutZone(address);
  if (!bare.includes(":")) return bare;
  return mappedIPv4(ipv6Groups(bare)) ?? bare;
}

/**
 * Shortens an address to its network, which logs and audit entries may store: IPv4 without its last octet
 * (`203.0.113.0`), IPv6 to 48 bits (`2001:db8:7::`), else `unknown`.
 */
export function shortenAddress(address: string): string {
  const plain = plainAddress(address);
  if (DOTTED.test(plain)) {
    const isAddress = plain.split(".").every((octet) => Number(octet) <= 255);
    return isAddress ? plain.replace(/\d+$/, "0") : "unknown";
  }
  const groups = ipv6Groups(plain);
  if (!groups) return "unknown";
  const network = groups.slice(0, 3).map((group) => group.toString(16));
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
  const plain = plainAddress(address);
  const network = ipv6Groups(plain)?.slice(0, 4);
  return network?.map((group) => group.toString(16)).join(":") ?? plain;
}

/** Returns the address without a URL's brackets and a link-local address' zone (`fe80::1%eth0`), in lower case. */
function withoutZone(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/%.*$/, "");
}

/** Returns the eight 16-bit groups of an IPv6 address (RFC 4291, section 2.2), or undefined when it is not one. */
function ipv6Groups(address: string): number[] | undefined {
  const halves = address.split("::");
  if (!address.includes(":") || halves.length > 2) return undefined;
  const [head, tail] = [halves[0] ?? "", halves[1] ?? ""].map(parseGroups);
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

function parseGroups(half: string): number[] | undefined {
  if (half === "") return [];
  const groups: number[] = [];
  for (const part of half.split(":")) {
    if (GROUP.test(part)) groups.push(Number.parseInt(part, 16));
    else if (DOTTED.test(part)) {
      const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
      if (Math.max(a, b, c, d) > 255) return undefined;
      groups.push(a * 256 + b, c * 256 + d);
    } else return undefined;
  }
  return groups;
}

function mappedIPv4(groups: number[] | undefined): string | undefined {
  if (!groups || groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
