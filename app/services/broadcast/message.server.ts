import type { Read } from "~/db/database.server";
import type { PushMessage } from "~/services/push/push-sender";
import { messageOf } from "./message";

/** Returns the messages of the rows' broadcasts, from `known` where it has them: they do not change once confirmed. */
export async function loadMessages(
  read: Read,
  known: ReadonlyMap<string, PushMessage>,
  rows: readonly { readonly broadcast_id: string }[],
): Promise<Map<string, PushMessage>> {
  const ids = [...new Set(rows.map((row) => row.broadcast_id))];
  if (ids.every((id) => known.has(id))) return new Map(known);
  const broadcasts = read
    .selectFrom("broadcasts")
    .select(["id", "title", "body", "link"])
    .where("id", "in", ids);
  return new Map((await broadcasts.execute()).map(({ id, ...content }) => [id, messageOf(id, content)]));
}
