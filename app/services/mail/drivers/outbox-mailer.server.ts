import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncToDisk, writeFileAtomically } from "~/lib/durable-file.server";
import { days } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";
import { joinBelow } from "~/lib/join-below.server";
import { pathExists } from "~/lib/path-exists.server";
import type { Email, Mailer, SendOutcome } from "../mailer";
import type { Outbox } from "../outbox.server";
import { validateEmailMessage } from "../validate-email-message";
import { buildMime } from "./build-mime.server";

interface OutboxMailerOptions {
  /** Created when missing, with access for its owner only. */
  readonly folder: string;
  readonly rows: Pick<Outbox, "insert" | "findByMessageId">;
  /** Returns ids of rows, in the order of time, and names of unfinished files. */
  readonly newId: () => string;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  /** Runs a write, and once more after a full disk if it could free some space. */
  readonly retryWhenFull?: <T>(write: () => Promise<T>) => Promise<T>;
}

/**
 * Stores each email as a file and a row instead of sending it: `{folder}/{yyyy-mm-dd in UTC}/{name}.eml`.
 *
 * - The file is complete or absent. A kill may leave a .tmp file behind, which is never read.
 * - The name derives from the Message-ID, so that sending the same email again replaces the first.
 * - After a kill between file and row `knows` returns false and deletes the file, which no erasure would find: the caller
 *   sends again, or not at all.
 * - A full disk or an unwritable folder is `unreachable`: nothing was handed over, through no fault of the recipient.
 */
export class OutboxMailer implements Mailer {
  readonly name = "outbox";
  readonly #options: OutboxMailerOptions;

  constructor(options: OutboxMailerOptions) {
    this.#options = { ...options, folder: resolve(options.folder) };
  }

  async send(email: Email): Promise<SendOutcome> {
    validateEmailMessage(email);
    const { rows, newId, now, retryWhenFull = (write) => write() } = this.#options;
    const sentAt = now();
    const message = await buildMime(email, new Date(sentAt));
    try {
      const known = await rows.findByMessageId(email.messageId);
      const file = known?.file ?? (await this.#findFile(toFileName(email.messageId), sentAt));
      await retryWhenFull(() => this.#write(file, message));
      if (!known) {
        const { messageId: message_id, subject, to } = email;
        await rows.insert({
          id: newId(),
          message_id,
          to_address: to.address,
          subject,
          file,
          created_at: sentAt,
        });
      }
      return { kind: "accepted", detail: `Kept in the outbox as ${file}` };
    } catch (error) {
      return { kind: "unreachable", detail: `The outbox cannot be written: ${getReason(error)}` };
    }
  }

  async knows(messageId: string): Promise<boolean> {
    const { folder, rows } = this.#options;
    if (await rows.findByMessageId(messageId)) return true;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const dayFolders = entries.filter((entry) => entry.isDirectory());
    const name = `${toFileName(messageId)}.eml`;
    await Promise.all(dayFolders.map((day) => rm(join(folder, day.name, name), { force: true })));
    return false;
  }

  async close(): Promise<void> {
    // Nothing is held open between emails.
  }

  /** Returns the path in today's folder, or yesterday's if before midnight the file was written and its row was not. */
  async #findFile(name: string, at: number): Promise<string> {
    const yesterday = toFilePath(at - days(1), name);
    return (await pathExists(join(this.#options.folder, yesterday))) ? yesterday : toFilePath(at, name);
  }

  async #write(file: string, message: Buffer): Promise<void> {
    const { folder, newId } = this.#options;
    const target = joinBelow(folder, file);
    if (target === undefined) throw new Error("the row of this email names a file elsewhere");
    const day = dirname(target);
    await makeFolder(day);
    await writeFileAtomically(target, message, join(day, `${newId()}.tmp`));
    await syncToDisk(day);
  }
}

/** Hashes the Message-ID: safe as a file name, whatever it holds. */
function toFileName(messageId: string): string {
  return createHash("sha256").update(messageId).digest("hex").slice(0, 32);
}

function toFilePath(day: number, name: string): string {
  return `${new Date(day).toISOString().slice(0, 10)}/${name}.eml`;
}

/** Creates the folder and its missing parents durably, with access for the owner only. */
async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!firstMade) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made))
    await syncToDisk(dirname(made));
}

/** Returns Node's message without the path, which a reader of the page does not need. */
function getReason(error: unknown): string {
  const message = getErrorMessage(error);
  return (message.split(", ")[0] ?? message).replace(/[\p{Cc}\s]+/gu, " ").slice(0, 200);
}
