import type { Database, Write } from "~/db/database.server";
import type { OutboxRow, OutboxRows } from "./outbox-rows";

const COLUMNS = [
  "id",
  "message_id as messageId",
  "to_address as toAddress",
  "subject",
  "file",
  "created_at as createdAt",
] as const;

/** The outbox's list in the product's database. */
export function outboxRows(database: Database): OutboxRows {
  const select = () => database.read.selectFrom("outbox_mails").select(COLUMNS);
  return {
    insert: (row) => database.write((transaction) => insert(transaction, row)),
    findByMessageId: (messageId) => select().where("message_id", "=", messageId).executeTakeFirst(),
    find: (id) => select().where("id", "=", id).executeTakeFirst(),
    list: ({ limit }) => select().orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute(),
  };
}

async function insert(transaction: Write, row: OutboxRow): Promise<void> {
  await transaction
    .insertInto("outbox_mails")
    .values({
      id: row.id,
      message_id: row.messageId,
      to_address: row.toAddress,
      subject: row.subject,
      file: row.file,
      created_at: row.createdAt,
    })
    .onConflict((conflict) => conflict.column("message_id").doNothing())
    .execute();
}
