import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range of ports that systems use for outgoing connections. */
const PORTS = { from: 20_000, until: 32_000 };

/**
 * Finds a port of this machine on which nothing listens.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.until);
    const isFree = await tryToListen(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
}

/**
 * Listens on a port for a moment.
 * @param {number} port
 * @throws what a server there would
 */
async function tryToListen(port) {
  const probe = createServer().listen(port, "127.0.0.1");
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}
