import { createHash } from "node:crypto";
import type { Database, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { grouped } from "~/lib/format-number";
import { isUuid } from "~/lib/uuid";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit, restateAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { plainWords } from "~/services/outreach/ending";
import { ERASED } from "~/services/people/erased";
import { CHUNK, suppress } from "~/services/suppressions/suppressions.server";
import type { Suppression } from "~/services/suppressions/suppressions.server";
import { readBounceEvents } from "./bounce-events";
import type { BounceEvent } from "./bounce-events";
import { isSigned } from "./signature.server";

interface Received {
  readonly received: number;
  /** Not known before. */
  readonly recorded: number;
  /** Addresses that get no mail any more because of these events. */
  readonly suppressed: number;
}

export type Receipt =
  | ({ ok: true } & Received)
  | { ok: false; error: "wrong-signature" }
  | { ok: false; error: "malformed"; event: number | undefined; message: string };

/** What a mail provider reports after it took a mail: that it bounced, or that its reader complained. */
export function createBounces(has: { database: Database; clock: Clock; newId: NewId; secret: string }) {
  const { database, clock, newId, secret } = has;

  return {
    /**
     * Takes in a signed report. A complaint and a permanent bounce suppress, a temporary one is only recorded. Each event
     * counts once, however often it is reported: a report that is repeated changes nothing, also after an address was
     * released, and one that was interrupted is completed. Resolved means on disk.
     */
    async receive(
      { signature, body }: { signature: string; body: Uint8Array },
      provenance: Provenance,
    ): Promise<Receipt> {
      if (!isSigned({ header: signature, body }, secret, clock())) {
        return { ok: false, error: "wrong-signature" };
      }
      const read = readBounceEvents(new TextDecoder().decode(body));
      if (!read.ok) return { ...read, error: "malformed" };

      const entryId = newId();
      let [recorded, suppressed] = [0, 0];
      for (let at = 0; at < read.events.length; at += CHUNK) {
        const piece = read.events.slice(at, at + CHUNK);
        const done = await database.write(async (trx) => {
          const done = await take(trx, newId, piece, clock());
          const subject = describe(suppressed + done.suppressed);
          if (suppressed > 0) await restateAudit(trx, entryId, subject);
          else if (done.suppressed > 0) await audit(trx, entryId, subject, provenance);
          return done;
        });
        recorded += done.recorded;
        suppressed += done.suppressed;
      }
      return { ok: true, received: read.events.length, recorded, suppressed };
    },
  };

  function audit(trx: Write, id: string, subject: string, { network, requestId }: Provenance): Promise<void> {
    const entry = { actor: "system", action: "receive-bounces", subject, outcome: "ok" } as const;
    return recordAudit(trx, { ...entry, network, requestId, id, at: clock() });
  }
}

/** May run again after a conflict: what is known already is left out. */
async function take(trx: Write, newId: NewId, given: readonly BounceEvent[], now: number) {
  // The same event twice in one report is one.
  const events = new Map(given.map((event) => [idOf(event), event]));
  const mails = await mailsOf(trx, given);
  const rows = [...events].map(([id, event]) => {
    const mail = mails.get(event.messageId);
    // Counted, without bringing back who was erased.
    const isErased = mail?.address === ERASED;
    return {
      ...{ id, type: event.type, permanent: event.permanent ? (1 as const) : (0 as const) },
      address: isErased ? ERASED : event.address,
      reason: isErased ? "" : plainWords(event.reason),
      ...{ send_id: mail?.send_id ?? null, delivery_id: mail?.id ?? null },
      ...{ happened_at: event.at === "" ? now : Date.parse(event.at), received_at: now },
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

  const against = { complained: [] as Suppression[], bounced: [] as Suppression[] };
  for (const { id, type, permanent, address, reason: detail, delivery_id } of rows) {
    if (!isNew.has(id) || permanent === 0) continue;
    const one = { address, detail, deliveryId: delivery_id };
    const list = type === "complaint" ? against.complained : against.bounced;
    list.push(one);
    // A forwarded mail comes back from another address than the one it was sent to: neither gets more.
    const sentTo = mails.get(events.get(id)?.messageId ?? "")?.address ?? address;
    if (emailKey(sentTo) !== emailKey(address)) list.push({ ...one, address: sentTo });
  }
  let suppressed = 0;
  for (const reason of ["complained", "bounced"] as const) {
    suppressed += await suppress(trx, newId, reason, against[reason], now);
  }
  return { recorded: added.length, suppressed };
}

/** The rows of the ledger these events are about, by Message-ID: its left half is the row's id. */
async function mailsOf(trx: Write, events: readonly BounceEvent[]) {
  const ids = [...new Set(events.map(({ messageId }) => messageId.split("@", 1)[0] ?? ""))].filter(isUuid);
  if (ids.length === 0) return new Map<string, never>();
  const rows = await trx
    .selectFrom("deliveries")
    .select(["id", "send_id", "address", "message_id"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.message_id.slice(1, -1), row]));
}

function idOf({ type, permanent, address, messageId, reason, at }: BounceEvent): string {
  const told = JSON.stringify([type, permanent, emailKey(address), messageId, reason, at]);
  return createHash("sha256").update(told).digest("hex");
}

function describe(addresses: number): string {
  return `${grouped(addresses)} ${addresses === 1 ? "address" : "addresses"}`;
}
