import type { Database, Read, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { createAudit } from "~/services/audit/audit.server";
import type { Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { ERASED } from "~/services/people/erased";
import { createSignedTokens } from "~/services/secrets/signed-tokens.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { isOptOut, OUTWEIGHS } from "./suppression-reasons";
import type { SuppressionReason } from "./suppression-reasons";

import { sql } from "kysely";
import type { SuppressionsTable } from "~/db/tables/suppressions";

/** Rows of one write: what an import and a webhook take at a time. */
export const CHUNK = 500;

export interface Suppression {
  /** As typed. */
  readonly address: string;
  /** In a mail server's or an operator's words; empty when nothing was said. */
  readonly detail: string;
  /** Null for a mail that was no outreach, and for no mail at all. */
  readonly deliveryId: string | null;
}

/**
 * These addresses get no mail any more. One that is there already keeps its reason, unless this one outweighs it
 * (suppression-reasons.ts); that a person opted out is never forgotten.
 * @returns how many were added, or got this reason instead of theirs.
 */
export async function suppress(
  trx: Write,
  newId: NewId,
  reason: SuppressionReason,
  suppressions: readonly Suppression[],
  now: number,
): Promise<number> {
  const opted_out = isOptOut(reason) ? 1 : 0;
  // PostgreSQL takes no row twice in one statement.
  const byKey = new Map(suppressions.map((one) => [emailKey(one.address), one]));
  // What becomes of a mail whose person was erased is about nobody any more.
  byKey.delete(ERASED);
  if (byKey.size === 0) return 0;
  const rows = await trx
    .insertInto("suppressions")
    .values(
      [...byKey].map(([email_key, { address, detail, deliveryId }]) => ({
        id: newId(),
        address,
        email_key,
        reason,
        detail,
        opted_out,
        delivery_id: deliveryId,
        created_at: now,
      })),
    )
    .onConflict((conflict) => {
      const weaker = OUTWEIGHS[reason];
      const same = conflict.column("email_key");
      if (weaker.length === 0) return same.doNothing();
      return same
        .doUpdateSet(({ ref }) => ({
          id: ref("excluded.id"),
          address: ref("excluded.address"),
          reason: ref("excluded.reason"),
          detail: ref("excluded.detail"),
          delivery_id: ref("excluded.delivery_id"),
          created_at: ref("excluded.created_at"),
          opted_out: opted_out === 1 ? 1 : ref("suppressions.opted_out"),
        }))
        .where("suppressions.reason", "in", weaker);
    })
    .returning("email_key")
    .execute();
  return rows.length;
}

export type Unsubscription = { ok: true; address: string } | { ok: false; error: "unknown-link" };

/**
 * The address of this mail gets no mail any more: acts at once and for good, and again as often as it is asked
 * (RFC 8058). Resolved means on disk.
 * @param recordAction written with it when the person had not opted out before, such as the audit.
 */
export function unsubscribe(
  { database, clock, newId }: { database: Database; clock: Clock; newId: NewId },
  deliveryId: string,
  recordAction: (trx: Write, address: string) => Promise<void> = async () => undefined,
): Promise<Unsubscription> {
  return database.write(async (trx): Promise<Unsubscription> => {
    const delivery = await trx
      .selectFrom("deliveries")
      .select(["address", "email_key"])
      .where("id", "=", deliveryId)
      .executeTakeFirst();
    if (!delivery) return { ok: false, error: "unknown-link" };
    const { address, email_key } = delivery;
    const added = await suppress(trx, newId, "unsubscribed", [{ address, detail: "", deliveryId }], clock());
    const changed = added > 0 || (await optOut(trx, email_key));
    if (changed) await recordAction(trx, address);
    return { ok: true, address };
  });
}

/** Notes on a row that is there for another reason that its person wants no mail either. @returns whether that is new. */
async function optOut(trx: Write, email_key: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("suppressions")
    .set({ opted_out: 1 })
    .where("email_key", "=", email_key)
    .where("opted_out", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Why the address gets no mail any more; undefined when it does. */
export async function getSuppressionReason(
  database: { readonly read: Read },
  address: string,
): Promise<SuppressionReason | undefined> {
  const row = await database.read
    .selectFrom("suppressions")
    .select("reason")
    .where("email_key", "=", emailKey(address))
    .executeTakeFirst();
  return row?.reason;
}

export async function isSuppressed(database: { readonly read: Read }, address: string): Promise<boolean> {
  return (await getSuppressionReason(database, address)) !== undefined;
}

/** Takes back an unsubscription; every other reason stays. */
export async function liftUnsubscription(trx: Write, email_key: string): Promise<void> {
  const lifted = await trx
    .deleteFrom("suppressions")
    .where("email_key", "=", email_key)
    .where("reason", "=", "unsubscribed")
    .returning("email_key")
    .execute();
  await rejoinAudiences(
    trx,
    lifted.map((row) => row.email_key),
  );
}

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;

/** The token of an unsubscribe link: it is about one mail (RFC 8058), and it never expires. */
export function createUnsubscribeTokens(secret: string) {
  const tokens = createSignedTokens(secret, "unsubscribe");
  return {
    tokenFor: (deliveryId: string): string => tokens.tokenFor(deliveryId),
    /** Undefined for a token this product did not make. */
    deliveryIdFrom: (token: string): string | undefined => tokens.subjectFrom(token),
  };
}

/** The unsubscribe link, from the token in its URL. */
export function createUnsubscribing(deps: {
  database: Database;
  tokens: UnsubscribeTokens;
  clock: Clock;
  newId: NewId;
}) {
  const { tokens } = deps;
  const audit = createAudit(deps);
  return {
    /** Whether this is a link of ours; changes nothing. */
    isKnownToken: (token: string): boolean => tokens.deliveryIdFrom(token) !== undefined,

    /** See `unsubscribe`; written to the audit the first time. */
    async unsubscribe(token: string, from: Provenance): Promise<Unsubscription> {
      const deliveryId = tokens.deliveryIdFrom(token);
      if (deliveryId === undefined) return { ok: false, error: "unknown-link" };
      return unsubscribe(deps, deliveryId, (trx, address) =>
        audit(trx, { ...from, by: "visitor" }, { action: "unsubscribe", subject: address }),
      );
    },
  };
}

export interface Suppressible {
  /** Why this address gets no email, as of the claim. */
  readonly suppression: SuppressionsTable["reason"] | null;
}

/** The same as a column of a claim. */
export function selectSuppression(table: "deliveries" | "confirmations") {
  const reason = sql<Suppressible["suppression"]>`(
    select reason from suppressions where suppressions.email_key = ${sql.ref(`${table}.email_key`)}
  )`;
  return reason.as("suppression");
}
