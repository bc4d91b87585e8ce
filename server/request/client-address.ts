import { isIP } from "node:net";
import { plainAddress } from "../../app/lib/network-address.ts";

/**
 * Returns the client's address (C12): with n trusted proxies the n-th entry from the right, the last that no
 * client can have written. A list shorter than n did not pass all of them: then only the connection's address is
 * trusted.
 */
export function clientAddress(connection: string, forwardedFor: string, trustedProxies: number): string {
  if (trustedProxies < 1 || forwardedFor === "") return connection;
  const entry = forwardedFor.split(",").at(-trustedProxies);
  const reported = plainAddress(withoutPort(entry?.trim() ?? ""));
  return isIP(reported) ? reported : connection;
}

/** Removes the port: some proxies report `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  return entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^(\[.*\]):\d+$/, "$1");
}
