import { readFile } from "node:fs/promises";
import { networkStats } from "systeminformation";

export interface NetworkCounters {
  readonly received: number;
  readonly transmitted: number;
}

/** This machine talking to itself, and the inner sides of connections that are counted at the outer one as well. */
const NOT_COUNTED = /^(?:lo\d*$|veth|docker|br-|virbr|ifb|cni|flannel|cali|dummy|tunl)/;

/**
 * Bytes since the start of the machine, over all its network interfaces. Where the kernel writes them in a file that is
 * read: systeminformation starts a shell for every interface there, 15 ms each, and asks other systems well.
 */
export async function networkCounters(file = "/proc/net/dev"): Promise<NetworkCounters> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const interfaces = text === undefined ? await askTheSystem() : interfacesIn(text);
  const counted = interfaces.filter(({ name }) => !NOT_COUNTED.test(name));
  return {
    received: counted.reduce((sum, { received }) => sum + received, 0),
    transmitted: counted.reduce((sum, { transmitted }) => sum + transmitted, 0),
  };
}

interface Interface extends NetworkCounters {
  readonly name: string;
}

/** Two lines of headings, then `eth0: ` with eight numbers of what came and eight of what went, bytes first (proc(5)). */
function interfacesIn(text: string): Interface[] {
  return text.split("\n").flatMap((line) => {
    const [, name, numbers] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || numbers === undefined) return [];
    const counters = numbers.trim().split(/\s+/).map(Number);
    return [{ name, received: counters[0] ?? 0, transmitted: counters[8] ?? 0 }];
  });
}

async function askTheSystem(): Promise<Interface[]> {
  const stats = await networkStats("*");
  return stats.map(({ iface, rx_bytes, tx_bytes }) => ({
    name: iface,
    received: rx_bytes,
    transmitted: tx_bytes,
  }));
}
