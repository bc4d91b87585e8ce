import { Agent } from "node:https";
import webPush from "web-push";
import { serveCalls } from "./helper-process.ts";

/** Reused across rounds, as the product reuses its connections. */
let agent: Agent | undefined;

/**
 * Sends with the same library in a loop, without reading, recording or checking anything.
 * @returns when it began, in epoch milliseconds.
 */
export async function sendInLoop(input: {
  readonly port: number;
  readonly cert: string;
  readonly connections: number;
  readonly messages: number;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly vapid: { readonly publicKey: string; readonly privateKey: string };
  readonly text: string;
}) {
  const { port, cert, connections, messages, keys, vapid, text } = input;
  agent ??= new Agent({
    keepAlive: true,
    maxSockets: connections,
    ca: cert,
    lookup: (_, { all }, found) =>
      all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4),
  });
  const options = { agent, vapidDetails: { subject: "mailto:hello@example.com", ...vapid }, TTL: 60 };
  const began = Date.now();
  let begun = 0;
  const loop = async () => {
    while (begun < messages) {
      begun += 1;
      const endpoint = `https://push.example.com:${port}/${begun}`;
      await webPush.sendNotification({ endpoint, keys }, text, options);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return { began };
}

serveCalls(sendInLoop);
