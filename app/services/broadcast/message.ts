import { getMessageBytes, MAX_MESSAGE_BYTES, MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { PushMessage } from "~/services/push/push-sender";

/** What an operator writes. */
export interface Content {
  readonly title: string;
  readonly body: string;
  /** A path of this site; empty for the landing page. */
  readonly link: string;
}

/** As devices get it: the broadcast's id is the tag, so that a repeat takes the place of the first (hardening R4). */
export function toPushMessage(id: string, { title, body, link }: Content): PushMessage {
  return { notification: { title, body }, ...(link && { link }), tag: id };
}

/** Any id is as long as this one. */
const SAMPLE_ID = "00000000-0000-0000-0000-000000000000";

/** How much of MAX_PAYLOAD_BYTES it takes, encrypted. Also for the page, while it is being written. */
export function getPayloadBytes(content: Content): number {
  return getMessageBytes(toPushMessage(SAMPLE_ID, content)) + MAX_PAYLOAD_BYTES - MAX_MESSAGE_BYTES;
}

/** In code points. */
export const CONTENT_LIMITS = { title: 200, body: 3000, link: 500 } as const;
