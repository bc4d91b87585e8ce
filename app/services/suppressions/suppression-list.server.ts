import { readInBatches } from "~/lib/read-in-batches";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import { readAddresses } from "~/lib/address-list";
import type { AddressList } from "~/lib/address-list";
import { emailKey } from "~/lib/email-address";
import { runInWorker } from "~/lib/run-in-worker.server";
import { isUuid } from "~/lib/uuid";
import { createAudit, restateAudit } from "~/services/audit/audit.server";
import type { Actor } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import type { SuppressionReason } from "./suppression-reasons";
import { CHUNK, suppress } from "./suppressions.server";

/** Of the addresses given, each counted once. */
export interface Added {
  readonly added: number;
  readonly alreadyThere: number;
}

/** An export reads so many rows at a time. */
const EXPORT_BATCH_SIZE = 1000;

/** The addresses that get no mail any more, as operators read and correct them. */
export function createSuppressionList(deps: { database: Database; clock: Clock; newId: NewId }) {
  const { database, clock, newId } = deps;
  const audit = createAudit(deps);

  return {
    /** Newest first, before the given id (keyset). */
    list: (
      filter: SuppressionFilter,
      page: { before?: string | undefined; limit: number },
    ): Promise<SuppressedAddress[]> => listSuppressions(database, filter, page),

    /** Those of these ids that are there, newest first. */
    listByIds: (ids: readonly string[]): Promise<SuppressedAddress[]> => listSuppressionsByIds(database, ids),

    /** Everything that matches, newest first, as readInBatches does. */
    readBatches: (filter: SuppressionFilter): AsyncGenerator<SuppressedAddress[]> =>
      readInBatches(EXPORT_BATCH_SIZE, (last: SuppressedAddress | undefined) =>
        listSuppressions(database, filter, { before: last?.id, limit: EXPORT_BATCH_SIZE }),
      ),

    /** Writes down that somebody takes a copy away, before they get it. */
    recordExport: (subject: string, actor: Actor): Promise<void> =>
      database.write((trx) => audit(trx, actor, { action: "export-suppressions", subject })),

    /** @param note why, in the operator's words. @returns false when it was there before, which changes nothing. */
    add(address: string, note: string, actor: Actor): Promise<boolean> {
      return database.write(async (trx) => {
        const one = { address, detail: note, deliveryId: null };
        if ((await suppress(trx, newId, "added", [one], clock())) === 0) return false;
        await audit(trx, actor, { action: "add-suppression", subject: address });
        return true;
      });
    },

    /**
     * Adds many, in short writes; stopped half way, asking again does the rest. One audit row tells the whole action, and is
     * true after each of its writes.
     */
    async importAll(addresses: readonly string[], actor: Actor): Promise<Added> {
      const entryId = newId();
      const seen = new Set<string>();
      let added = 0;
      for (let at = 0; at < addresses.length; at += CHUNK) {
        // Piece by piece: all at once would hold the event loop (C37).
        const batch = addresses.slice(at, at + CHUNK).filter((address) => addIfNew(seen, emailKey(address)));
        const suppressions = batch.map((address) => ({ address, detail: "", deliveryId: null }));
        added += await database.write(async (trx) => {
          const count = await suppress(trx, newId, "imported", suppressions, clock());
          const subject = `${added + count} ${added + count === 1 ? "address" : "addresses"}`;
          if (added > 0) await restateAudit(trx, entryId, subject);
          else if (count > 0)
            await audit(trx, actor, { action: "import-suppressions", subject, id: entryId });
          return count;
        });
      }
      return { added, alreadyThere: seen.size - added };
    },

    /** See release. */
    release: (ids: readonly string[], reason: string, actor: Actor): Promise<Release> =>
      release(database, { ids, reason }, (trx, subject) =>
        audit(trx, actor, { action: "release-suppressed", subject }),
      ),
  };
}

function addIfNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** Which of the addresses that get no mail; without any bound, all of them. */
export interface SuppressionFilter {
  readonly reason?: SuppressionReason | undefined;
  /** What the address begins with, in lower case. */
  readonly prefix?: string | undefined;
}

export type SuppressedAddress = Pick<
  Selectable<SuppressionsTable>,
  "id" | "address" | "reason" | "detail"
> & {
  readonly optedOut: boolean;
  readonly at: number;
  /** The campaign its mail was of, while that is there. */
  readonly campaign: { readonly id: string; readonly title: string } | undefined;
};

const MAX_SORTED_MATCHES = 2000;
/** Comes after every address that begins like it, byte by byte. */
const LAST_CODE_POINT = "\u{10FFFF}";

/** Newest first, before the given id (keyset). As quick with a hundred thousand addresses as with ten. */
export async function listSuppressions(
  database: Pick<Database, "read" | "dialect">,
  filter: SuppressionFilter,
  page: { before?: string | undefined; limit: number },
): Promise<SuppressedAddress[]> {
  const ids = await listIds(database, filter, page);
  if (ids.length === 0) return [];
  return listSuppressionsByIds(database, ids);
}

/** Those of these ids that are there, newest first. */
export async function listSuppressionsByIds(
  { read }: Pick<Database, "read">,
  ids: readonly string[],
): Promise<SuppressedAddress[]> {
  const known = [...new Set(ids.filter(isUuid))];
  if (known.length === 0) return [];
  const rows = await read
    .selectFrom("suppressions")
    .leftJoin("deliveries", "deliveries.id", "suppressions.delivery_id")
    .leftJoin("campaigns", "campaigns.id", "deliveries.campaign_id")
    .select(["suppressions.id", "suppressions.address", "suppressions.reason", "suppressions.detail"])
    .select([
      "opted_out",
      "suppressions.created_at as at",
      "campaigns.id as campaignId",
      "campaigns.title as campaignTitle",
    ])
    .where("suppressions.id", "in", known)
    .orderBy("suppressions.id", "desc")
    .execute();
  return rows.map(({ opted_out, campaignId, campaignTitle, ...row }) => ({
    ...row,
    optedOut: opted_out === 1,
    campaign: campaignId === null ? undefined : { id: campaignId, title: campaignTitle ?? "" },
  }));
}

async function listIds(
  database: Pick<Database, "read" | "dialect">,
  { reason, prefix }: SuppressionFilter,
  { before = "", limit }: { before?: string | undefined; limit: number },
): Promise<string[]> {
  const cursor = isUuid(before) ? before : undefined;
  const matches = prefix === undefined ? undefined : await findByPrefix(database, prefix);
  if (matches) {
    return matches
      .filter((row) => (reason ?? row.reason) === row.reason && (cursor === undefined || row.id < cursor))
      .map(({ id }) => id)
      .sort()
      .reverse()
      .slice(0, limit);
  }
  let query = database.read.selectFrom("suppressions").select("id");
  if (reason !== undefined) query = query.where("reason", "=", reason);
  if (cursor !== undefined) query = query.where("id", "<", cursor);
  // Of many that match, the newest are soon met. Said so that no database takes the index of addresses for it.
  if (prefix !== undefined) {
    query = query.where(
      sql<string>`substr(email_key, 1, cast(${[...prefix].length} as integer))`,
      "=",
      prefix,
    );
  }
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** All whose address begins so, unless they are too many to be sorted by time. */
async function findByPrefix({ read, dialect }: Pick<Database, "read" | "dialect">, prefix: string) {
  // The order of bytes, as in the index `suppressions_search`.
  const address = dialect === "postgres" ? sql<string>`email_key collate "C"` : sql<string>`email_key`;
  const rows = await read
    .selectFrom("suppressions")
    .select(["id", "reason"])
    .where(address, ">=", prefix)
    .where(address, "<", prefix + LAST_CODE_POINT)
    .limit(MAX_SORTED_MATCHES)
    .execute();
  return rows.length < MAX_SORTED_MATCHES ? rows : undefined;
}

/** "reason-needed": one of them opted out, so nothing was released. */
export type Release = { ok: true; released: number } | { ok: false; error: "reason-needed" };

/**
 * Lets these addresses get mail again: all of them, or none. What a campaign has skipped stays skipped.
 * @param because needed where a person opted out: to write to them again is against what they said.
 * @param recordRelease written with each released address: what the audit says, the reason included.
 */
export function release(
  database: Database,
  { ids, reason }: { ids: readonly string[]; reason: string },
  recordRelease: (trx: Write, subject: string) => Promise<void>,
): Promise<Release> {
  const known = [...new Set(ids.filter(isUuid))];
  if (known.length === 0) return Promise.resolve({ ok: true, released: 0 });
  return database.write(async (trx): Promise<Release> => {
    const rows = await trx
      .selectFrom("suppressions")
      .select(["id", "address", "email_key", "opted_out"])
      .where("id", "in", known)
      .orderBy("id", "desc")
      .$if(database.dialect === "postgres", (query) => query.forUpdate())
      .execute();
    if (reason === "" && rows.some((row) => row.opted_out === 1)) {
      return { ok: false, error: "reason-needed" };
    }
    for (const { id, address } of rows) {
      await trx.deleteFrom("suppressions").where("id", "=", id).execute();
      await recordRelease(trx, reason === "" ? address : `${address} (${reason})`);
    }
    await rejoinAudiences(
      trx,
      rows.map((row) => row.email_key),
    );
    return { ok: true, released: rows.length };
  });
}

/** In UTF-16 units: what takes a few milliseconds. */
const MAX_INLINE_LENGTH = 65_536;

/** Reads addresses from texts (app/lib/address-list.ts), long ones in a thread of their own (hardening C37). */
export async function readAddressList(texts: readonly string[]): Promise<AddressList> {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_INLINE_LENGTH ? runInWorker("read-addresses", texts) : readAddresses(texts);
}
