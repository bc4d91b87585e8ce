import type { BroadcastsTable } from "~/db/tables/broadcast";
import { getMessageBytes, MAX_MESSAGE_BYTES, MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { PushMessage } from "~/services/push/push-sender";

export type Content = Pick<BroadcastsTable, "title" | "body" | "link">;

/** Builds the push message. Its tag is the broadcast's id, so that a repeat replaces the first one (hardening R4). */
export function toPushMessage(id: string, { title, body, link }: Content): PushMessage {
  return { notification: { title, body }, ...(link && { link }), tag: id };
}

/** Stands for any id, all of which have this length. */
const SAMPLE_ID = "00000000-0000-0000-0000-000000000000";

/** Returns the encrypted size, to compare with MAX_PAYLOAD_BYTES. The form uses it in the browser too. */
export function getPayloadBytes(content: Content): number {
  return getMessageBytes(toPushMessage(SAMPLE_ID, content)) + MAX_PAYLOAD_BYTES - MAX_MESSAGE_BYTES;
}

/** Limits in code points. */
export const CONTENT_LIMITS = { title: 200, body: 3000, link: 500 } as const;
