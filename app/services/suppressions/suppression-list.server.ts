import type { Database, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { recordAudit, restateAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { release } from "./release.server";
import type { Release } from "./release.server";
import { newestSuppressions, suppressionsWith } from "./suppression-rows.server";
import type { SuppressedAddress, SuppressionFilter } from "./suppression-rows.server";
import { CHUNK, suppress } from "./suppressions.server";

/** Who does it, and from where. */
export interface Operator extends Provenance {
  /** The account's address. */
  readonly by: string;
}

/** Of the addresses given, each counted once. */
export interface Added {
  readonly added: number;
  readonly alreadyThere: number;
}

/** An export reads so many rows at a time. */
const BATCH = 1000;

/** The addresses that get no mail any more, as operators read and correct them. */
export function createSuppressionList(has: { database: Database; clock: Clock; newId: NewId }) {
  const { database, clock, newId } = has;

  return {
    /** Newest first, before the given id (keyset). */
    list: (
      filter: SuppressionFilter,
      page: { before?: string | undefined; limit: number },
    ): Promise<SuppressedAddress[]> => newestSuppressions(database, filter, page),

    /** Those of these ids that are there, newest first. */
    lookAt: (ids: readonly string[]): Promise<SuppressedAddress[]> => suppressionsWith(database, ids),

    /** Everything that matches, newest first, in batches: one is held at a time, none is read before it is asked for. */
    async *batches(filter: SuppressionFilter): AsyncGenerator<SuppressedAddress[]> {
      for (let before: string | undefined; ;) {
        const rows = await newestSuppressions(database, filter, { before, limit: BATCH });
        if (rows.length > 0) yield rows;
        if (rows.length < BATCH) return;
        before = rows.at(-1)?.id;
      }
    },

    /** Writes down that somebody takes a copy away, before they get it. */
    recordExport: (what: string, operator: Operator): Promise<void> =>
      database.write((trx) => audit(trx, "export-suppressions", what, operator)),

    /** @param note why, in the operator's words. @returns false when it was there before, which changes nothing. */
    add(address: string, note: string, operator: Operator): Promise<boolean> {
      return database.write(async (trx) => {
        const one = { address, detail: note, deliveryId: null };
        if ((await suppress(trx, newId, "added", [one], clock())) === 0) return false;
        await audit(trx, "add-suppression", address, operator);
        return true;
      });
    },

    /**
     * Adds many, in short writes; stopped half way, asking again does the rest. One audit row tells the whole deed, and is
     * true after each of its writes.
     */
    async importAll(addresses: readonly string[], operator: Operator): Promise<Added> {
      const entryId = newId();
      const seen = new Set<string>();
      let added = 0;
      for (let at = 0; at < addresses.length; at += CHUNK) {
        // Piece by piece: all at once would hold the event loop (C37).
        const piece = addresses.slice(at, at + CHUNK).filter((address) => isNewIn(seen, emailKey(address)));
        const suppressions = piece.map((address) => ({ address, detail: "", deliveryId: null }));
        added += await database.write(async (trx) => {
          const more = await suppress(trx, newId, "imported", suppressions, clock());
          const subject = `${added + more} ${added + more === 1 ? "address" : "addresses"}`;
          if (added > 0) await restateAudit(trx, entryId, subject);
          else if (more > 0) await audit(trx, "import-suppressions", subject, operator, entryId);
          return more;
        });
      }
      return { added, alreadyThere: seen.size - added };
    },

    /** See release. */
    release: (ids: readonly string[], because: string, operator: Operator): Promise<Release> =>
      release(database, { ids, because }, (trx, subject) =>
        audit(trx, "release-suppressed", subject, operator),
      ),
  };

  function audit(
    trx: Write,
    action: AuditAction,
    subject: string,
    { by, network, requestId }: Operator,
    id = newId(),
  ): Promise<void> {
    const entry = { actor: by, action, subject, outcome: "ok", network, requestId } as const;
    return recordAudit(trx, { ...entry, id, at: clock() });
  }
}

function isNewIn(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
