import { setTimeout as pause } from "node:timers/promises";
import { startSmtpServer } from "../fakes/smtp-server.ts";
import { serveCalls } from "./helper-process.ts";

const server = await startSmtpServer({ record: false });

/** Waits for a number of emails since the start. @returns the time of the last one, to within 1 ms, as `at`. */
export async function awaitEmails(emails: number) {
  while (server.count() < emails) await pause(1);
  return { url: server.url, count: server.count(), at: Date.now() };
}

serveCalls(awaitEmails);
