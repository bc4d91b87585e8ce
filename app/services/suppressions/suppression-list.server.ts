import { sql, type RawBuilder } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countRows, fetchPage } from "~/db/rows";
import { readAddresses, type AddressList } from "~/lib/address-list";
import { emailKey } from "~/lib/email-address";
import { formatCount } from "~/lib/format-number";
import { takePage, toKnownPage, type ListPage } from "~/lib/list-page";
import { readInBatches } from "~/lib/read-in-batches";
import { runInWorker } from "~/lib/run-in-worker.server";
import { isUuid } from "~/lib/uuid";
import { auditInParts, createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import type { SuppressionOrder, SuppressionReason } from "./suppression-reasons";
import { CHUNK, optOut, suppress } from "./suppressions.server";

const EXPORT_BATCH_SIZE = 1000;

/** Creates the operations on the suppression list. */
export function createSuppressionList(deps: ServiceDeps) {
  const { database, clock, newId } = deps;
  const audit = createAudit(deps);

  /** Lists matching addresses, newest first unless another order is given. Constant time per page. */
  async function list(filter: SuppressionFilter, page: ListPage, order?: SuppressionOrder) {
    const ids = await listIds(database, filter, page, order);
    const rows = new Map((await listByIds(ids)).map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** Lists the existing ones of these ids, newest first. */
  async function listByIds(ids: readonly string[]) {
    const known = toValidIds(ids);
    if (known.length === 0) return [];
    const rows = await database.read
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
      // The campaign whose email caused it, while it exists.
      campaign: campaignId === null ? undefined : { id: campaignId, title: campaignTitle ?? "" },
    }));
  }

  return {
    list,
    listByIds,

    /** Reads all matching addresses, newest first; see readInBatches. */
    async *readBatches(filter: SuppressionFilter) {
      const batches = readInBatches(EXPORT_BATCH_SIZE, (before: string | undefined) =>
        listIds(database, filter, { before, limit: EXPORT_BATCH_SIZE }),
      );
      for await (const ids of batches) yield await listByIds(ids);
    },

    /** @param note the operator's reason. @returns false when the address was suppressed before. */
    add(address: string, note: string, actor: Actor): Promise<boolean> {
      return database.write(async (trx) => {
        const one = { address, detail: note, deliveryId: null };
        if ((await suppress(trx, newId, "added", [one], clock())) === 0) return false;
        await audit(trx, actor, { action: "add-suppression", subject: address });
        return true;
      });
    },

    /**
     * Adds many addresses in short writes; a second call completes an interrupted one. One audit entry covers
     * the import and is correct after each write. An opt-out is kept beside whatever reason the address has.
     * @returns counts of distinct addresses.
     */
    async importAll({ addresses, optOuts }: Pick<AddressList, "addresses" | "optOuts">, actor: Actor) {
      const seen = new Set<string>();
      let added = 0;
      const parts = auditInParts(deps, actor, "import-suppressions", (count) =>
        count === 1 ? "1 address" : `${count} addresses`,
      );
      for (let at = 0; at < addresses.length; at += CHUNK) {
        // Filters per batch: all at once would block the event loop (C37).
        const batch = addresses.slice(at, at + CHUNK);
        const distinct = batch.filter((address) => addIfNew(seen, emailKey(address)));
        const suppressions = distinct.map((address) => ({ address, detail: "", deliveryId: null }));
        const optOutKeys = batch.filter((address) => optOuts.has(address)).map(emailKey);
        let addedInPart = 0;
        await parts.write(async (trx) => {
          // Counts those on the list already; the second call marks the new ones, which suppress has counted.
          const marked = await optOut(trx, optOutKeys);
          addedInPart = await suppress(trx, newId, "imported", suppressions, clock());
          await optOut(trx, optOutKeys);
          return marked + addedInPart;
        });
        added += addedInPart;
      }
      return { added, alreadyThere: seen.size - added };
    },

    /**
     * Removes addresses from the suppression list: all of them, or none. Skipped deliveries stay skipped.
     * @param reason required when a person opted out, because releasing them goes against their will.
     */
    async release(ids: readonly string[], reason: string, actor: Actor): Promise<Release> {
      const known = toValidIds(ids);
      if (known.length === 0) return { ok: true, released: 0 };
      return database.write(async (trx): Promise<Release> => {
        const rows = await trx
          .selectFrom("suppressions")
          .select(["id", "address", "email_key", "opted_out"])
          .where("id", "in", known)
          .orderBy("id", "desc")
          .forUpdate()
          .execute();
        if (reason === "" && rows.some((row) => row.opted_out === 1)) {
          return { ok: false, error: "reason-needed" };
        }
        for (const { id, address } of rows) {
          await trx.deleteFrom("suppressions").where("id", "=", id).execute();
          const subject = reason === "" ? address : `${address} (${reason})`;
          await audit(trx, actor, { action: "release-suppressed", subject });
        }
        const emailKeys = rows.map((row) => row.email_key);
        await rejoinAudiences(trx, emailKeys);
        return { ok: true, released: rows.length };
      });
    },

    /** Counts what `releaseCampaign` would release. */
    countOfCampaign: (campaignId: string): Promise<number> =>
      countRows(selectCausedBy(database.read, campaignId)),

    /**
     * Removes every address from the suppression list that mail servers put there because of one campaign: refused
     * or bounced, and never opted out. In short writes under one audit entry; a second call completes an
     * interrupted one. @returns how many were released.
     */
    async releaseCampaign(campaignId: string, reason: string, actor: Actor): Promise<number> {
      const parts = auditInParts(deps, actor, "release-campaign-suppressions", (count) => {
        const released = formatCount(count, "address", "addresses");
        return `${released} of the campaign ${campaignId} (${reason})`;
      });
      for (let released = CHUNK; released === CHUNK;) {
        released = await parts.write(async (trx) => {
          const rows = await trx
            .deleteFrom("suppressions")
            // The lock waits for somebody who opts out at this moment, and looks at them again.
            .where("id", "in", selectCausedBy(trx, campaignId).limit(CHUNK).forUpdate("suppressions"))
            .returning("email_key")
            .execute();
          await rejoinAudiences(
            trx,
            rows.map((row) => row.email_key),
          );
          return rows.length;
        });
      }
      return parts.done;
    },
  };
}

/** Selects the suppressions that replies to one campaign's emails caused, and nobody's own wish. */
function selectCausedBy(db: Read, campaignId: string) {
  const refused = db
    .selectFrom("deliveries")
    .select("id")
    .where("campaign_id", "=", campaignId)
    // Literal, not bound: SQLite uses the index of failed rows only then.
    .where(sql<boolean>`state = 'failed'`);
  const bounced = db
    .selectFrom("bounces")
    .select("delivery_id as id")
    .where("campaign_id", "=", campaignId)
    .$castTo<{ id: string }>();
  return db
    .selectFrom("suppressions")
    .select("suppressions.id")
    .where("delivery_id", "in", refused.union(bounced))
    .where("reason", "in", ["refused", "bounced"])
    .where("opted_out", "=", 0);
}

/** "reason-needed": one of them opted out, so nothing was released. */
type Release = { ok: true; released: number } | { ok: false; error: "reason-needed" };

const toValidIds = (ids: readonly string[]): string[] => [...new Set(ids.filter(isUuid))];

function addIfNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** Selects suppressed addresses; an empty filter selects all. */
interface SuppressionFilter {
  readonly reason?: SuppressionReason | undefined;
  /** Prefix of the address, in lower case. */
  readonly prefix?: string | undefined;
}

type SuppressionList = ReturnType<typeof createSuppressionList>;
export type SuppressedAddress = Awaited<ReturnType<SuppressionList["list"]>>[number];

const MAX_SORTED_MATCHES = 2000;
/** Sorts after every continuation of a prefix in byte order. */
const LAST_CODE_POINT = "\u{10FFFF}";

async function listIds(
  database: Pick<Database, "read" | "dialect">,
  { reason, prefix }: SuppressionFilter,
  page: ListPage,
  { sort, direction }: SuppressionOrder = { sort: "added", direction: "desc" },
): Promise<string[]> {
  if (sort === "address") {
    // One index has the addresses in order, another one those of each reason; a prefix is a part of either.
    const key = toAddress(database);
    const query = database.read
      .selectFrom("suppressions")
      .select("id")
      .$if(reason !== undefined, (query) => query.where("reason", "=", reason ?? "added"))
      .$if(prefix !== undefined, (query) => query.where(isWithPrefix(key, prefix ?? "")));
    const rows = await fetchPage(query, page, { key, direction });
    return rows.map(({ id }) => id);
  }
  const matches = prefix === undefined ? undefined : await findByPrefix(database, prefix);
  if (matches) {
    const ids = matches.filter((row) => (reason ?? row.reason) === row.reason).map(({ id }) => id);
    return takePage(ids, toKnownPage(page), direction);
  }
  let query = database.read.selectFrom("suppressions").select("id");
  if (reason !== undefined) query = query.where("reason", "=", reason);
  // Many match, so a scan by id finds a page soon. `substr` keeps the planner from using the index of addresses.
  if (prefix !== undefined) {
    query = query.where(
      sql<string>`substr(email_key, 1, cast(${[...prefix].length} as integer))`,
      "=",
      prefix,
    );
  }
  const rows = await fetchPage(query, page, { direction });
  return rows.map(({ id }) => id);
}

/** Byte order, as in the indexes. */
const toAddress = ({ dialect }: Pick<Database, "dialect">) =>
  dialect === "postgres" ? sql<string>`email_key collate "C"` : sql<string>`email_key`;

const isWithPrefix = (address: RawBuilder<string>, prefix: string) =>
  sql<boolean>`${address} >= ${prefix} and ${address} < ${prefix + LAST_CODE_POINT}`;

/** Returns all addresses with a prefix; undefined when they are too many to sort by time. */
async function findByPrefix(database: Pick<Database, "read" | "dialect">, prefix: string) {
  const rows = await database.read
    .selectFrom("suppressions")
    .select(["id", "reason"])
    .where(isWithPrefix(toAddress(database), prefix))
    .limit(MAX_SORTED_MATCHES)
    .execute();
  return rows.length < MAX_SORTED_MATCHES ? rows : undefined;
}

/** Longest input parsed on the event loop, in UTF-16 units: a few milliseconds. */
const MAX_INLINE_LENGTH = 65_536;

/** Parses addresses from texts (app/lib/address-list.ts), long ones in a worker thread (hardening C37). */
export async function readAddressList(texts: readonly string[]): Promise<AddressList> {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_INLINE_LENGTH ? runInWorker("read-addresses", texts) : readAddresses(texts);
}
