import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { days } from "~/lib/durations";
import { pathExists } from "~/lib/path-exists.server";
import { checkMail } from "../check-mail";
import type { Mail, Mailer, MailOutcome } from "../mailer";
import type { OutboxRows } from "~/services/mail/outbox.server";
import { buildMime } from "./build-mime.server";

export interface OutboxMailerOptions {
  /** Made when missing, for its owner only. */
  readonly folder: string;
  readonly rows: OutboxRows;
  /** Names that no two calls share; for files not finished yet. */
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Keeps each mail as a file and a row instead of sending it: `{folder}/{yyyy-mm-dd}/{id}.eml`, the day in UTC.
 *
 * - The file is whole or absent: it is written under a name that ends in `.tmp`, synced, renamed, and its folder synced.
 *   A kill may leave such a .tmp file behind; it is nobody's mail.
 * - The id is made from the Message-ID, so that the same mail sent again takes the place of the first. That also mends a
 *   kill between file and row: `knows` says no, the caller sends again, and there is still one file.
 * - A full disk or an unwritable folder is `unreachable`: nothing was handed over, and it is not the recipient's fault.
 */
export class OutboxMailer implements Mailer {
  readonly name = "outbox";
  readonly #folder: string;
  readonly #rows: OutboxRows;
  readonly #newId: () => string;
  readonly #now: () => number;

  constructor({ folder, rows, newId, now }: OutboxMailerOptions) {
    this.#folder = resolve(folder);
    this.#rows = rows;
    this.#newId = newId;
    this.#now = now;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    checkMail(mail);
    const sentAt = this.#now();
    const message = buildMime(mail, new Date(sentAt));
    try {
      const known = await this.#rows.findByMessageId(mail.messageId);
      const id = known?.id ?? idOf(mail.messageId);
      const file = known?.file ?? (await this.#fileFor(id, sentAt));
      await this.#write(file, message);
      if (!known) {
        const { messageId, subject } = mail;
        await this.#rows.insert({
          id,
          messageId,
          toAddress: mail.to.address,
          subject,
          file,
          createdAt: sentAt,
        });
      }
      return { kind: "accepted", detail: `Kept in the outbox as ${file}` };
    } catch (error) {
      return { kind: "unreachable", detail: `The outbox cannot be written: ${reasonOf(error)}` };
    }
  }

  async knows(messageId: string): Promise<boolean> {
    return (await this.#rows.findByMessageId(messageId)) !== undefined;
  }

  async close(): Promise<void> {
    // Nothing is held open between mails.
  }

  /** Today's folder, or yesterday's when a kill just before midnight left the file there without its row. */
  async #fileFor(id: string, at: number): Promise<string> {
    const yesterday = fileOn(at - days(1), id);
    return (await pathExists(join(this.#folder, yesterday))) ? yesterday : fileOn(at, id);
  }

  async #write(file: string, message: Buffer): Promise<void> {
    const target = join(this.#folder, file);
    const day = dirname(target);
    await makeFolder(day);
    const unfinished = join(day, `${this.#newId()}.tmp`);
    try {
      const handle = await open(unfinished, "wx", 0o600);
      try {
        await handle.writeFile(message);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await syncFolder(day);
  }
}

/** Safe as a file name, whatever the Message-ID holds. */
function idOf(messageId: string): string {
  return createHash("sha256").update(messageId).digest("hex").slice(0, 32);
}

function fileOn(day: number, id: string): string {
  return `${new Date(day).toISOString().slice(0, 10)}/${id}.eml`;
}

/** Makes the folder and what is missing above it, durably, for its owner only. */
async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!firstMade) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made))
    await syncFolder(dirname(made));
}

/** A new name is durable only when the folder that holds it is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Node's words without the path, which is of no use to a reader of the page: "ENOSPC: no space left on device". */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split(", ")[0] ?? message).replace(/[\p{Cc}\s]+/gu, " ").slice(0, 200);
}
