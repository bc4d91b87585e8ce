import type { Read } from "~/db/database.server";
import type { PushMessage } from "~/services/push/push-sender";
import { messageOf } from "./message";

/** Adds what is missing to the messages read before: they do not change once confirmed. */
export async function readMessages(
  read: Read,
  messages: Map<string, PushMessage>,
  rows: readonly { readonly broadcast_id: string }[],
): Promise<void> {
  const missing = [...new Set(rows.map((row) => row.broadcast_id))].filter((id) => !messages.has(id));
  if (missing.length === 0) return;
  const broadcasts = await read
    .selectFrom("broadcasts")
    .select(["id", "title", "body", "link"])
    .where("id", "in", missing)
    .execute();
  for (const { id, ...content } of broadcasts) messages.set(id, messageOf(id, content));
}
