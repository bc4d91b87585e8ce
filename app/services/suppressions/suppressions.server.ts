import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { SuppressionsTable } from "~/db/tables/outreach";
import { emailKey } from "~/lib/email-address";
import { createAudit, type Provenance } from "~/services/audit/audit.server";
import { createSignedTokens, type SignedTokens } from "~/services/secrets/signed-tokens.server";
import type { NewId, ServiceDeps } from "~/services/service-deps";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { isOptOut, OUTWEIGHS, type SuppressionReason } from "./suppression-reasons";

/** Replaces the address of an erased person: nothing can be sent to it. Also why an email to them was skipped. */
export const ERASED = "erased";

/** Rows per write of an import or a bounce report. */
export const CHUNK = 500;

export interface Suppression {
  /** As typed. */
  readonly address: string;
  /** The mail server's reply or the operator's note; may be empty. */
  readonly detail: string;
  /** Null when no campaign's email caused it. */
  readonly deliveryId: string | null;
}

/**
 * Adds addresses to the suppression list. A suppressed address keeps its reason, unless this one outweighs it
 * (suppression-reasons.ts); an opt-out is never cleared.
 * @returns the number of addresses added or given the new reason.
 */
export async function suppress(
  trx: Write,
  newId: NewId,
  reason: SuppressionReason,
  suppressions: readonly Suppression[],
  now: number,
): Promise<number> {
  const opted_out = isOptOut(reason) ? 1 : 0;
  // PostgreSQL rejects a statement that affects a row twice.
  const byKey = new Map(suppressions.map((one) => [emailKey(one.address), one]));
  // The delivery of an erased person has no address to suppress.
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
      const known = conflict.column("email_key");
      if (weaker.length === 0) return known.doNothing();
      return known
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

type Unsubscription = { ok: true; address: string } | { ok: false; error: "unknown-link" };

/**
 * Suppresses the address of a delivery or of an automatic email, immediately and permanently. Idempotent (RFC 8058).
 * @param recordAction runs in the same transaction for a first opt-out, to write the audit entry.
 */
export function unsubscribe(
  { database, clock, newId }: ServiceDeps,
  emailId: string,
  recordAction: (trx: Write, address: string) => Promise<void> = async () => undefined,
): Promise<Unsubscription> {
  return database.write(async (trx): Promise<Unsubscription> => {
    const delivery = await findAddress(trx, "deliveries", emailId);
    const address = delivery ?? (await findAddress(trx, "transactional_emails", emailId));
    if (address === undefined) return { ok: false, error: "unknown-link" };
    const deliveryId = delivery === undefined ? null : emailId;
    const optOuts = await addCurrentAddresses(trx, [{ address, detail: "", deliveryId }]);
    const added = await suppress(trx, newId, "unsubscribed", optOuts, clock());
    const optedOut = await optOut(
      trx,
      optOuts.map((one) => emailKey(one.address)),
    );
    if (added + optedOut > 0) await recordAction(trx, address);
    return { ok: true, address };
  });
}

async function findAddress(trx: Write, table: "deliveries" | "transactional_emails", id: string) {
  const row = await trx.selectFrom(table).select("address").where("id", "=", id).executeTakeFirst();
  return row?.address;
}

/**
 * Adds to opt-outs from former addresses the ones that these people have now: an opt-out is a person's, whatever address
 * the email went to. A former address that is somebody's again is theirs alone.
 */
export async function addCurrentAddresses(
  trx: Write,
  optOuts: readonly Suppression[],
): Promise<readonly Suppression[]> {
  if (optOuts.length === 0) return optOuts;
  const byKey = new Map(optOuts.map((one) => [emailKey(one.address), one]));
  const moved = await trx
    .selectFrom("person_corrections")
    .innerJoin("people", "people.id", "person_corrections.person_id")
    .leftJoin("people as owner", "owner.email_key", "former_key")
    .select(["former_key", "people.email"])
    .where("former_key", "in", [...byKey.keys()])
    // Literal, not bound: the partial index is used only then.
    .where(sql<boolean>`former_key <> ''`)
    .where("undone_at", "is", null)
    .where("owner.id", "is", null)
    .execute();
  const current = moved.flatMap(({ former_key, email }) => {
    const optOut = byKey.get(former_key);
    return optOut ? [{ ...optOut, address: email }] : [];
  });
  return [...optOuts, ...current];
}

/**
 * Gives an address what the suppression of a person's former one says about the person: an opt-out, or an operator's
 * entry. What a mail server said is about the former mailbox. The stricter suppression of the two stays.
 * @returns the suppression of the address before and after; undefined when nothing had to be changed.
 */
export async function carrySuppression(
  trx: Write,
  newId: NewId,
  { from, to, now }: { from: string; to: string; now: number },
) {
  const of = (key: string) =>
    trx.selectFrom("suppressions").selectAll().where("email_key", "=", key).forUpdate().executeTakeFirst();
  const former = await of(from);
  if (!former) return undefined;
  const isOfMailbox = former.reason === "refused" || former.reason === "bounced";
  if (isOfMailbox && former.opted_out === 0) return undefined;
  const key = emailKey(to);
  const before = await of(key);
  const carried = { address: to, detail: isOfMailbox ? "" : former.detail, deliveryId: null };
  await suppress(trx, newId, isOfMailbox ? "unsubscribed" : former.reason, [carried], now);
  if (former.opted_out === 1) await optOut(trx, [key]);
  const after = await of(key);
  if (!after || (before && before.id === after.id && before.opted_out === after.opted_out)) return undefined;
  return { before: before ?? null, after };
}

/**
 * Undoes `carrySuppression`. The caller has made sure that the address's suppression is still `after`.
 * @param before null: the address was not suppressed.
 */
export async function restoreSuppression(
  trx: Write,
  { before, after }: { before: SuppressionsTable | null; after: SuppressionsTable },
): Promise<void> {
  await trx.deleteFrom("suppressions").where("id", "=", after.id).execute();
  if (before) await trx.insertInto("suppressions").values(before).execute();
  else await rejoinAudiences(trx, [after.email_key]);
}

/** Records the opt-out on addresses suppressed for another reason. @returns of how many it is the first. */
export async function optOut(trx: Write, emailKeys: readonly string[]): Promise<number> {
  if (emailKeys.length === 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable("suppressions")
    .set({ opted_out: 1 })
    .where("email_key", "in", emailKeys)
    .where("opted_out", "=", 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Returns why an address is suppressed; undefined when it is not. */
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

/** Removes an unsubscription; every other reason stays. */
export async function liftUnsubscription(trx: Write, email_key: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom("suppressions")
    .where("email_key", "=", email_key)
    .where("reason", "=", "unsubscribed")
    .executeTakeFirst();
  if (numDeletedRows > 0n) await rejoinAudiences(trx, [email_key]);
}

/**
 * Creates the tokens of unsubscribe links. A token's subject is one delivery or automatic email (RFC 8058), and it never
 * expires.
 */
export const createUnsubscribeTokens = (secret: string, previous?: string): SignedTokens =>
  createSignedTokens(secret, "unsubscribe", previous);

/** Creates the operations of an unsubscribe link, by the token in its URL. */
export function createUnsubscribing(deps: ServiceDeps & { tokens: SignedTokens }) {
  const { tokens } = deps;
  const audit = createAudit(deps);
  return {
    /** Tells whether the token is valid; changes nothing. */
    isKnownToken: (token: string): boolean => tokens.readSubject(token) !== undefined,

    /** Unsubscribes the address of a token; the first time writes an audit entry. */
    async unsubscribe(token: string, from: Provenance): Promise<Unsubscription> {
      const emailId = tokens.readSubject(token);
      if (emailId === undefined) return { ok: false, error: "unknown-link" };
      return unsubscribe(deps, emailId, (trx, address) =>
        audit(trx, { ...from, by: "visitor" }, { action: "unsubscribe", subject: address }),
      );
    },
  };
}

export interface Suppressible {
  /** Suppression reason of the address when the row was read; null for none. */
  readonly suppression: SuppressionsTable["reason"] | null;
}

/** Selects Suppressible as a column of a table's rows. */
export function selectSuppression(table: "deliveries" | "transactional_emails" | "confirmations" | "people") {
  const reason = sql<Suppressible["suppression"]>`(
    select reason from suppressions where suppressions.email_key = ${sql.ref(`${table}.email_key`)}
  )`;
  return reason.as("suppression");
}
