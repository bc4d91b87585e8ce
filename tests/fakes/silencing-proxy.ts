import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen";

export type SilencingProxy = Awaited<ReturnType<typeof startSilencingProxyTo>>;

/**
 * Starts a proxy to the database of a URL that can drop packets as a firewall or a failed-over network does:
 * neither side is notified.
 */
export async function startSilencingProxyTo(url: string) {
  const through = new URL(url);
  const target = { host: through.hostname, port: Number(through.port || 5432) };
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
    const upstream = track(connect(target));
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
  through.hostname = "127.0.0.1";
  through.port = String(await listen(server));

  return {
    /** URL of the database that leads through the proxy. */
    url: through.href,
    /**
     * Drops everything on existing connections from now on, their ends included; they never recover.
     * @param options.newConnections whether connections made from now on reach the server.
     */
    silence({ newConnections }: { newConnections: "pass" | "swallowed" }) {
      flow.abort();
      flow = new AbortController();
      acceptsConnections = newConnections === "pass";
    },
    /** Lets new connections pass again. */
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
