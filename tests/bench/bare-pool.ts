import nodemailer from "nodemailer";
import { serveCalls } from "./helper-process.ts";

/** The subset of the product's Mail that nodemailer accepts unchanged. */
export interface BareMail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reused across rounds, as the product reuses its connections. */
let pool: ReturnType<typeof createPool> | undefined;

/** Sends the emails. @returns when it began, in epoch milliseconds. */
export async function sendByPool(input: { url: string; connections: number; mails: readonly BareMail[] }) {
  const { url, connections, mails } = input;
  pool ??= createPool(url, connections);
  const transport = pool;
  const began = Date.now();
  await Promise.all(
    mails.map(({ headers, ...mail }) => transport.sendMail({ ...mail, headers: { ...headers } })),
  );
  return { began };
}

serveCalls(sendByPool);

function createPool(url: string, connections: number) {
  const { hostname, port } = new URL(url);
  return nodemailer.createTransport({
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
    host: hostname,
    port: Number(port),
    ignoreTLS: true,
  });
}
