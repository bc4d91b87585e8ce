import { createDecipheriv, createECDH, createHmac, createPublicKey, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TestSubscription } from "../factories/push";
import { listen } from "./listen";
import { createSelfSigned } from "./self-signed";

export const PUSH_NAME = "push.example.com";

/**
 * Response of the service to a message.
 * - a status, with optional headers and text.
 * - `drop`: reads the request to its end and closes the connection without a response.
 * - `reset`: the same with a TCP reset.
 * - `silent`: never responds.
 */
export type PushAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "drop"
  | "reset"
  | "silent";

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Starts a push service (RFC 8030) over real HTTPS for PUSH_NAME, with its own certificate. */
export async function startPushService(answer: (path: string) => PushAnswer = () => ({ status: 201 })) {
  const { key, cert } = createSelfSigned(PUSH_NAME);
  const received: ReceivedPush[] = [];
  /** TCP sockets below TLS, by client port: only there a connection can be reset. */
  const rawSockets = new Map<number | undefined, Socket>();
  const server = createServer({ key, cert }, async (request, response) => {
    const path = request.url ?? "";
    received.push({ path, headers: request.headers, body: await buffer(request) });
    const how = answer(path);
    if (how === "silent") return;
    if (how === "drop") return void request.socket.destroy();
    if (how === "reset") return void rawSockets.get(request.socket.remotePort)?.resetAndDestroy();
    response.writeHead(how.status, how.headers).end(how.body);
  });
  server.on("connection", (socket) => {
    if (socket instanceof Socket) rawSockets.set(socket.remotePort, socket);
  });
  let connections = 0;
  server.on("secureConnection", () => (connections += 1));
  const port = await listen(server);
  return {
    cert,
    port,
    host: `${PUSH_NAME}:${port}`,
    received,
    connections: () => connections,
    endpoint: (path: string) => `https://${PUSH_NAME}:${port}/${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) =>
  createHmac("sha256", key)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

/** Decrypts a message as a browser does: `aes128gcm` of one record (RFC 8188), with the keys of RFC 8291. */
export function decrypt(body: Buffer, { privateKey, auth }: TestSubscription): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey);
  const shared = hmac(auth, ecdh.computeSecret(theirs));
  const material = hmac(shared, "WebPush: info\0", ecdh.getPublicKey(), theirs, "\x01");
  const secret = hmac(salt, material);
  const key = hmac(secret, "Content-Encoding: aes128gcm\0\x01").subarray(0, 16);
  const nonce = hmac(secret, "Content-Encoding: nonce\0\x01").subarray(0, 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Returns the claims of a VAPID signature (RFC 8292). Throws unless the key it names signed it. */
export function vapidClaims(authorization: string): { key: string; aud: string; sub: string; exp: number } {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: "", y: "" };
  jwk.x = point.subarray(1, 33).toString("base64url");
  jwk.y = point.subarray(33).toString("base64url");
  const isTheirs = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isTheirs) throw new Error("The signature is not by the key it names");
  return { key, ...JSON.parse(Buffer.from(claims, "base64url").toString()) };
}
