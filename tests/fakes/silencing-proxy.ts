import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Proxy to a TCP server that can drop packets as a firewall or a failed-over network does: neither side is
 * notified.
 */
export interface SilencingProxy {
  readonly port: number;
  /**
   * Drops everything on existing connections from now on, their ends included; they never recover.
   * @param options.newConnections whether connections made from now on reach the server.
   */
  silence(options: { newConnections: "pass" | "swallowed" }): void;
  /** Lets new connections pass again. */
  restore(): void;
  close(): Promise<void>;
}

export async function startSilencingProxy(target: { host: string; port: number }): Promise<SilencingProxy> {
  const sockets = new Set<Socket>();
  let flow = new AbortController();
  let acceptsConnections = true;
  const track = (socket: Socket) => {
    sockets.add(socket);
    // A reset by either side counts as an end.
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };

  const server = createServer((visitor) => {
    track(visitor);
    if (!acceptsConnections) return void visitor.resume();
    const upstream = track(connect(target.port, target.host));
    const { signal } = flow;
    const forward = (from: Socket, to: Socket) => {
      from.on("data", (chunk) => {
        if (!signal.aborted) to.write(chunk);
      });
      from.on("close", () => {
        if (!signal.aborted) to.destroy();
      });
    };
    forward(visitor, upstream);
    forward(upstream, visitor);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    silence({ newConnections }) {
      flow.abort();
      flow = new AbortController();
      acceptsConnections = newConnections === "pass";
    },
    restore() {
      acceptsConnections = true;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Starts a proxy to the database of a URL; `url` leads through it. */
export async function startSilencingProxyTo(url: string): Promise<SilencingProxy & { url: string }> {
  const through = new URL(url);
  const proxy = await startSilencingProxy({ host: through.hostname, port: Number(through.port || 5432) });
  through.hostname = "127.0.0.1";
  through.port = String(proxy.port);
  return { ...proxy, url: through.href };
}
