import { createPublicKey, verify } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryFolder } from "../temporary-folder";
import { listen } from "./listen";
import { createSelfSigned } from "./self-signed";

/**
 * Response of a Google host to a request.
 * - a status, with optional headers and body (an object is sent as JSON).
 * - `drop`: reads the request to its end and closes the connection without a response.
 * - `silent`: never responds.
 */
export type HostAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object | string }
  | "drop"
  | "silent";

export interface HostRequest {
  readonly host: string;
  readonly method: string;
  /** Path and query, below the host. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Starts Google hosts over real HTTPS behind a proxy (CONNECT). A client that uses the proxy and trusts `cert`
 * reaches them by their names, and no other host.
 */
export async function startGoogleHosts(
  hosts: readonly string[],
  handle: (request: HostRequest) => HostAnswer,
) {
  const [first = "", ...others] = hosts;
  const { key, cert } = createSelfSigned(first, ...others);
  const requests: string[] = [];
  const responses = new Map<string, HostAnswer>();
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer({ key, cert }, async (request, response) => {
    const { method = "", headers } = request;
    const host = headers.host ?? "";
    requests.push(`${method} ${host}${request.url}`);
    const url = new URL(request.url ?? "/", `https://${host}`);
    const body = await text(request);
    respond(response, responses.get(host) ?? handle({ host, method, url, headers, body }));
  });
  const proxy = createProxy();
  proxy.on("connect", ({ url = "" }, socket: Socket) => {
    if (!hosts.some((host) => url === `${host}:443`)) {
      return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    }
    sockets.add(socket);
    connections += 1;
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.emit("connection", socket);
  });
  const port = await listen(proxy);

  const folder = temporaryFolder();
  /** Writes a file that is removed at the end, and returns its path. */
  const writeFile = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  return {
    cert,
    certFile: writeFile("certificate.pem", cert),
    requests,
    writeFile,
    /** Writes the key file of a service account (GOOGLE_APPLICATION_CREDENTIALS). */
    writeServiceAccount: (account: { projectId: string; address: string; key: string }) =>
      writeFile(
        "service-account.json",
        JSON.stringify({
          type: "service_account",
          project_id: account.projectId,
          private_key_id: "1",
          private_key: account.key,
          client_email: account.address,
          client_id: "1",
          token_uri: "https://oauth2.googleapis.com/token",
        }),
      ),
    proxy: `http://127.0.0.1:${port}`,
    connections: () => connections,
    /** Makes a host respond to every request in this way; undefined restores its normal responses. */
    setResponse: (host: string, how: HostAnswer | undefined) =>
      void (how ? responses.set(host, how) : responses.delete(host)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function respond(response: ServerResponse, how: HostAnswer): void {
  if (how === "silent") return;
  if (how === "drop") return void response.socket?.destroy();
  const isText = typeof how.body === "string";
  const type = isText ? "text/html" : "application/json; charset=UTF-8";
  response.writeHead(how.status, { "Content-Type": type, ...how.headers });
  response.end(isText ? how.body : JSON.stringify(how.body ?? {}));
}

/** Returns the claims of a JWT, or undefined unless the key of `cert` signed it. */
export function verifyClaims(jwt: string, cert: string): Record<string, unknown> | undefined {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const signed = Buffer.from(`${head}.${claims}`);
  const isVerified = verify("RSA-SHA256", signed, createPublicKey(cert), Buffer.from(signature, "base64url"));
  return isVerified ? JSON.parse(Buffer.from(claims, "base64url").toString()) : undefined;
}
