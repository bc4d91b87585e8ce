import type { BroadcastAudience, BroadcastsTable } from "~/db/tables/broadcast";
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

/** Audiences in the order of the form. */
export const AUDIENCES = ["all", "landing", "application"] as const satisfies readonly BroadcastAudience[];

/**
 * The target of a broadcast: columns that its devices have in common, none for all of them (specification, section 7:
 * /all, /app with an appType, /tenant/{id}).
 */
export type Target = { readonly app_type?: string; readonly tenant_id?: string };

/** Values of a device's `appType`, by audience. */
export type AppTypes = Readonly<Record<Exclude<BroadcastAudience, "all">, string>>;

/**
 * Returns the target of an audience by the specification's section 7. A company applies to the application
 * audience only and is ignored for the others.
 */
export function getTarget(
  { audience, tenant_id }: Pick<BroadcastsTable, "audience" | "tenant_id">,
  appTypes: AppTypes,
): Target {
  if (audience === "application" && tenant_id) return { tenant_id };
  return audience === "all" ? {} : { app_type: appTypes[audience] };
}
