import { readFile, rm } from "node:fs/promises";
import { sql } from "kysely";
import PostalMime from "postal-mime";
import type { Database } from "~/db/database.server";
import { countRows, fetchPage } from "~/db/rows";
import type { OutboxEmailsTable } from "~/db/tables/outreach";
import { joinBelow } from "~/lib/join-below.server";
import type { ListPage } from "~/lib/list-page";
import { stripSentenceEnd } from "./sentence-end";

/** Limits the listed links: a message of 20,000 characters can contain many more. */
const MAX_LINKS = 50;

/** Files and rows deleted at a time. */
const CHUNK = 100;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Creates the operations on stored emails: admins read them, and an erasure deletes those to one person. The emails are
 * files that OutboxMailer writes; the table is their index, with one row per Message-ID.
 */
export function createOutbox({ database, folder }: { database: Database; folder: string }) {
  const select = () => database.read.selectFrom("outbox_emails").selectAll();

  /**
   * Returns the whole email as it would have been sent (RFC 5322); undefined when it does not exist, or when its row,
   * which a restored database may hold, names a file elsewhere.
   */
  async function read(id: string): Promise<string | undefined> {
    return (await readWithRecipient(id))?.source;
  }

  async function readWithRecipient(id: string) {
    const row = await select().where("id", "=", id).executeTakeFirst();
    if (!row) return undefined;
    const path = joinBelow(folder, row.file);
    if (path === undefined) return undefined;
    const source = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return source === undefined ? undefined : { source, recipient: row.to_address };
  }

  return {
    read,

    /** Resolves when the row is durable. Does nothing when the Message-ID already has a row. */
    async insert(row: OutboxEmailsTable): Promise<void> {
      await database.write((trx) =>
        trx
          .insertInto("outbox_emails")
          .values(row)
          .onConflict((conflict) => conflict.column("message_id").doNothing())
          .execute(),
      );
    },

    /** @param messageId with angle brackets. */
    findByMessageId: (messageId: string) => select().where("message_id", "=", messageId).executeTakeFirst(),

    /** Lists emails, newest first. */
    list: (page: ListPage) => fetchPage(select(), page, { key: sql.ref<number>("created_at") }),

    count: (): Promise<number> => countRows(database.read.selectFrom("outbox_emails")),

    /** Parses the email and decodes it: the text to be displayed, the HTML for a frame that runs nothing. */
    async parse(id: string) {
      const found = await readWithRecipient(id);
      if (!found) return undefined;
      const { source, recipient } = found;
      const { subject = "", from, to = [], html = "", text = "" } = await PostalMime.parse(source);
      return {
        subject,
        from: from?.address ?? "",
        /** The one address it was sent to, whatever its header says. */
        recipient,
        to: to.map(({ address }) => address ?? "").join(", "),
        html,
        text,
        // RFC 5322, section 2.1: an empty line ends the header.
        headers: source.split(/\r?\n\r?\n/, 1)[0] ?? "",
        source,
        // The http(s) URLs of the text, each once.
        links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g)?.map(stripSentenceEnd))].slice(0, MAX_LINKS),
      };
    },

    /** Deletes all emails to an address, given in lower case. Files go first: their rows hold their paths. */
    async eraseAllTo(emailKey: string): Promise<void> {
      for (;;) {
        const batch = await database.read
          .selectFrom("outbox_emails")
          .select(["id", "file"])
          .where(sql<string>`lower(to_address)`, "=", emailKey)
          .limit(CHUNK)
          .execute();
        if (batch.length === 0) return;
        const paths = batch.map(({ file }) => joinBelow(folder, file)).filter((path) => path !== undefined);
        await Promise.all(paths.map((path) => rm(path, { force: true })));
        const ids = batch.map(({ id }) => id);
        await database.write((trx) => trx.deleteFrom("outbox_emails").where("id", "in", ids).execute());
      }
    },
  };
}
