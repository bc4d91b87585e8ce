import { isUtf8 } from "node:buffer";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Write } from "~/db/database.server";
import { utcDay } from "~/lib/utc-day";
import { emailKey, isPlainAddress, toAsciiAddress } from "~/lib/email-address";
import { formatCount } from "~/lib/format-number";
import { parseJson } from "~/lib/parse-json";
import { isUuid } from "~/lib/uuid";
import { auditInParts, type Provenance } from "~/services/audit/audit.server";
import { getRefusalSubject } from "~/services/mail/delivery/refusal";
import { toDetail } from "~/services/queue/job-type";
import { CLOCK_TOLERANCE_MS, type NewId, type ServiceDeps } from "~/services/service-deps";
import {
  addCurrentAddresses,
  CHUNK,
  ERASED,
  suppress,
  type Suppression,
} from "~/services/suppressions/suppressions.server";

import {
  markInvitationsSentAgainUndeliverable,
  markInvitationsUndeliverable,
} from "~/services/waves/wave-deliveries.server";

/**
 * `recorded` counts the events that were not reported before, `suppressed` the addresses that were added or got this
 * reason.
 */
type Receipt =
  | { ok: true; received: number; recorded: number; suppressed: number }
  | { ok: false; error: "wrong-signature" }
  | { ok: false; error: "malformed"; message: string };

/** Receives the reports of a mail provider about accepted emails: bounces and complaints. */
export function createBounces(deps: ServiceDeps & { secret: string }) {
  const { clock, newId, secret } = deps;

  return {
    /**
     * Records a signed report. A complaint or a permanent bounce suppresses its address. A temporary bounce, and a
     * permanent one whose reason is not about the mailbox (a block list, a policy), is only recorded. Idempotent: each
     * event counts once, so that a repeated report changes nothing, even after the address was released, and completes
     * an interrupted one. Resolves once it is committed.
     */
    async receive(
      { signature, body }: { signature: string; body: Uint8Array },
      from: Provenance,
    ): Promise<Receipt> {
      if (!isSigned({ header: signature, body }, secret, clock())) {
        return { ok: false, error: "wrong-signature" };
      }
      if (!isUtf8(body)) return { ok: false, error: "malformed", message: "The body is not in UTF-8." };
      const { data, error } = reportSchema.safeParse(parseJson(new TextDecoder().decode(body)));
      if (error) return { ok: false, error: "malformed", message: describeFirstIssue(error) };

      const { events } = data;
      const actor = { ...from, by: "system" };
      const parts = auditInParts(deps, actor, "receive-bounces", (count) =>
        formatCount(count, "address", "addresses"),
      );
      let recorded = 0;
      for (let at = 0; at < events.length; at += CHUNK) {
        let recordedInPart = 0;
        await parts.write(async (trx) => {
          const counts = await recordEvents(trx, newId, events.slice(at, at + CHUNK), clock());
          recordedInPart = counts.recorded;
          return counts.suppressed;
        });
        recorded += recordedInPart;
      }
      return { ok: true, received: events.length, recorded, suppressed: parts.done };
    },
  };
}

/**
 * Records new events, suppresses their addresses, and marks the invitations of waves whose emails came back. May run again after a
 * conflict: known events are ignored.
 */
async function recordEvents(trx: Write, newId: NewId, reported: readonly BounceEvent[], now: number) {
  // Removes duplicates within the report.
  const events = new Map(reported.map((event) => [getEventId(event, now), event]));
  const ids = toIds(reported.map(({ messageId }) => messageId));
  const deliveries = await findDeliveries(trx, ids);
  const otherEmails = await findOtherEmails(trx, ids);
  const rows = [...events].map(([id, event]) => {
    const delivery = deliveries.get(event.messageId);
    // Counts the event without storing personal data that was erased.
    const isErased = (delivery?.address ?? otherEmails.get(event.messageId)) === ERASED;
    return {
      id,
      type: event.type,
      permanent: event.permanent ? (1 as const) : (0 as const),
      address: isErased ? ERASED : event.address,
      reason: isErased ? "" : toDetail(event.reason),
      campaign_id: delivery?.campaign_id ?? null,
      delivery_id: delivery?.id ?? null,
      happened_at: event.at === "" ? now : Date.parse(event.at),
      received_at: now,
    };
  });
  if (rows.length === 0) return { recorded: 0, suppressed: 0 };
  const added = await trx
    .insertInto("bounces")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  const isNew = new Set(added.map(({ id }) => id));

  const returned: ReportedDelivery[] = [];
  const returnedOthers: string[] = [];
  const suppressions: Record<"complained" | "bounced", Suppression[]> = { complained: [], bounced: [] };
  for (const { id, type, permanent, address, reason: detail, delivery_id } of rows) {
    if (!isNew.has(id) || permanent === 0) continue;
    if (type === "bounce" && getRefusalSubject(detail) === "other") continue;
    const one = { address, detail, deliveryId: delivery_id };
    const list = suppressions[type === "complaint" ? "complained" : "bounced"];
    list.push(one);
    const { messageId = "" } = events.get(id) ?? {};
    const delivery = deliveries.get(messageId);
    if (type === "bounce") {
      if (delivery) returned.push(delivery);
      else returnedOthers.push(...toIds([messageId]));
    }
    // A forwarded email bounces from another address than it was sent to: both are suppressed.
    const sentTo = delivery?.address ?? otherEmails.get(messageId) ?? address;
    if (emailKey(sentTo) !== emailKey(address)) list.push({ ...one, address: sentTo });
  }
  await markInvitationsUndeliverable(trx, returned, now);
  await markInvitationsSentAgainUndeliverable(trx, returnedOthers);
  let suppressed = 0;
  for (const reason of ["complained", "bounced"] as const) {
    const list = suppressions[reason];
    const all = reason === "complained" ? await addCurrentAddresses(trx, list) : list;
    suppressed += await suppress(trx, newId, reason, all, now);
  }
  return { recorded: added.length, suppressed };
}

/** Returns the ids in Message-IDs of ours, each once. */
const toIds = (messageIds: readonly string[]) =>
  [...new Set(messageIds.map((messageId) => messageId.split("@", 1)[0] ?? ""))].filter(isUuid);

type ReportedDelivery =
  Awaited<ReturnType<typeof findDeliveries>> extends Map<string, infer Row> ? Row : never;

/** Returns the deliveries that are among these ids, by Message-ID: its left half is the delivery's id. */
async function findDeliveries(trx: Write, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await trx
    .selectFrom("deliveries")
    .select(["id", "campaign_id", "address", "email_key", "message_id"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.message_id.slice(1, -1), row]));
}

/** Returns the addresses of the other emails that are among these ids, by Message-ID; ERASED for those of erased people. */
async function findOtherEmails(trx: Write, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("transactional_emails")
    .select(["message_id", "address"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ message_id, address }) => [message_id.slice(1, -1), address]));
}

/** Returns what a repeated event has in common with the first. Without a time and an email it is the same within a UTC day. */
function getEventId({ type, permanent, address, messageId, reason, at }: BounceEvent, now: number): string {
  const time = at === "" && messageId === "" ? utcDay(now) : at;
  const content = JSON.stringify([type, permanent, emailKey(address), messageId, reason, time]);
  return createHash("sha256").update(content).digest("hex");
}

const TIME_ERROR = "must be a time like 2026-11-21T08:00:00Z";
const optionalText = z.string().nullish();
const eventFields = {
  address: z
    .string()
    .trim()
    .transform(toAsciiAddress)
    .refine(isPlainAddress, { error: "must be one address like name@example.com" }),
  /** Message-ID of the email, with or without angle brackets. */
  messageId: optionalText.transform((value) => (value ?? "").trim().replace(/^<|>$/g, "")),
  /** Reason as the provider reports it. */
  reason: optionalText.transform((value) => value ?? ""),
  /** Time of the event. */
  at: z.iso
    .datetime({ offset: true, error: TIME_ERROR })
    .refine((value) => Number.isFinite(Date.parse(value)), { error: TIME_ERROR })
    .nullish()
    .transform((value) => value ?? ""),
};
const eventSchema = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("bounce"), permanent: z.boolean("must be true or false"), ...eventFields }),
    // A complaint is always permanent.
    z
      .object({ type: z.literal("complaint"), ...eventFields })
      .transform((one) => ({ ...one, permanent: true })),
  ],
  { error: 'must be "bounce" or "complaint"' },
);

/** Unknown fields are ignored; one invalid event rejects the whole report. */
export const reportSchema = z.object({ events: z.array(eventSchema) });

/** One reported event. `at` is an ISO 8601 time, or empty. */
type BounceEvent = z.infer<typeof eventSchema>;

function describeFirstIssue({ issues: [issue] }: z.ZodError): string {
  const [, index, ...fields] = issue?.path ?? [];
  if (!issue || index === undefined) return 'The body must be JSON like {"events": [...]}.';
  const place = [`events[${String(index)}]`, ...fields].join(".");
  return `${place}: ${issue.message}.`;
}

/**
 * Verifies the signature header of a body: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. The header may
 * hold several `v1`, as during a rotation of the secret; one valid signature is enough. CLOCK_TOLERANCE_MS is
 * also how long a signature can be replayed.
 */
export function isSigned(
  { header, body }: { header: string; body: Uint8Array },
  secret: string,
  now: number,
): boolean {
  const parts = header.split(",").map((part) => part.trim());
  const time = /^t=(\d{1,12})$/.exec(parts[0] ?? "")?.[1];
  if (time === undefined || Math.abs(now - Number(time) * 1000) > CLOCK_TOLERANCE_MS) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return parts.slice(1).some((part) => {
    const code = /^v1=([0-9a-f]{64})$/i.exec(part)?.[1];
    return code !== undefined && timingSafeEqual(Buffer.from(code, "hex"), expected);
  });
}
