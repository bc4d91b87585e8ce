import { networkStats } from "systeminformation";
import { readText } from "./read-text.server";

/**
 * Loopback interfaces, and those whose bytes are counted at another one as well, as far as their names tell: of containers and
 * virtual machines, bonds, bridges, VLANs (eth0.100) and tunnels.
 */
const NOT_COUNTED =
  /^(?:lo\d*$|veth|docker|podman|cni|flannel|cali|vnet|virbr|vmbr|br-|br\d|bond|wg|tun|tap|ifb|dummy|.+\.\d+$)/;

/**
 * Sums the bytes of all network interfaces since boot. Reads the kernel's file where it exists:
 * systeminformation starts a shell per interface there, 15 ms each, but works well on other systems.
 */
export async function readNetworkCounters(file = "/proc/net/dev") {
  const text = await readText(file);
  const interfaces = text === undefined ? await networkStats("*") : parseInterfaces(text);
  const counted = interfaces.filter(({ iface }) => !NOT_COUNTED.test(iface));
  return {
    received: counted.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
    transmitted: counted.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
  };
}

/** Parses /proc/net/dev (proc(5)): per interface eight received and eight sent numbers, bytes first. */
function parseInterfaces(text: string) {
  return text.split("\n").flatMap((line) => {
    const [, iface, numbers] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (iface === undefined || numbers === undefined) return [];
    const counters = numbers.trim().split(/\s+/).map(Number);
    return [{ iface, rx_bytes: counters[0] ?? 0, tx_bytes: counters[8] ?? 0 }];
  });
}
