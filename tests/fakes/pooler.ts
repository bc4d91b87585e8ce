import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen";

/** Parameters of a connection request that PgBouncer accepts without being told to ignore others. */
const ACCEPTED = new Set(["user", "database", "client_encoding", "application_name"]);

/**
 * Starts a proxy to the database of a URL that refuses connection requests with parameters it does not know, as
 * PgBouncer does. It reads only the first message of each connection.
 */
export async function startPoolerTo(url: string) {
  const through = new URL(url);
  const target = { host: through.hostname, port: Number(through.port || 5432) };
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client).once("data", (request) => {
      const unknown = readParameters(request).find((name) => !ACCEPTED.has(name));
      if (unknown !== undefined) return void client.end(refusal(`unsupported startup parameter: ${unknown}`));
      const upstream = track(connect(target));
      upstream.write(request);
      client.pipe(upstream).pipe(client);
    });
  });
  through.hostname = "127.0.0.1";
  through.port = String(await listen(server));
  return {
    url: through.href,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Reads the names in a StartupMessage: its length, the protocol's version, then names and values, each ended by NUL. */
function readParameters(request: Buffer): string[] {
  const texts = request.subarray(8).toString().split("\0");
  return texts.filter((name, index) => index % 2 === 0 && name !== "");
}

/** Creates an ErrorResponse that ends the connection. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
