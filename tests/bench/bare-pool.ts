import nodemailer from "nodemailer";
import type { Email } from "~/services/mail/mailer";
import { serveCalls } from "./helper-process.ts";

/** Reused across rounds, as the product reuses its connections. */
let pool: ReturnType<typeof createPool> | undefined;

/** Sends the emails. @returns when it began, in epoch milliseconds. */
export async function sendByPool(input: { url: string; connections: number; emails: readonly Email[] }) {
  const { url, connections, emails } = input;
  pool ??= createPool(url, connections);
  const transport = pool;
  const began = Date.now();
  await Promise.all(
    emails.map(({ headers, references, ...email }) =>
      transport.sendMail({ ...email, references: [...(references ?? [])], headers: { ...headers } }),
    ),
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
