import { sql } from "kysely";
import { hash } from "node:crypto";
import type { Database, Write } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import type { ApiToken } from "~/services/api-tokens/api-tokens.server";
import type { Provenance } from "~/services/audit/audit.server";
import { CLOCK_TOLERANCE_MS, type Clock } from "~/services/service-deps";
import { sweepRows } from "~/services/sweep-in-chunks.server";

/** Time for which a key stands for the same action (C26). */
export const KEY_LIFETIME_MS = hours(24);
/** Longest an action can be in progress, by the clock of any instance. An older claim is left over from a crash. */
const MAX_DURATION_MS = minutes(15) + CLOCK_TOLERANCE_MS;

/** An API call that may have an idempotency key. */
export interface KeyedCall {
  readonly token: ApiToken;
  /** The caller's Idempotency-Key; undefined without one. */
  readonly idempotencyKey: string | undefined;
  readonly from: Provenance;
}

/** An action under the idempotency key its caller chose; undefined without one. */
export type KeyedAction = ReturnType<typeof getKeyedAction>;

/**
 * Creates the keyed action of a call, by its token.
 * @param parts content of the request as the caller sent it: the same key with another request is the caller's mistake.
 */
export function getKeyedAction(
  { token, idempotencyKey }: KeyedCall,
  parts: readonly (string | null | undefined)[],
) {
  if (idempotencyKey === undefined) return undefined;
  return { id: `${token.id}:${idempotencyKey}`, fingerprint: hash("sha256", JSON.stringify(parts)) };
}

type Claim =
  /** The action has not been done: the caller does it, and then settles or releases the claim. */
  | { kind: "new" }
  | { kind: "done"; outcome: string }
  | { kind: "under-way" | "other-request" }
  /** The previous caller was interrupted, perhaps after the action. The claim passes to this caller. */
  | { kind: "interrupted"; reference: string };

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Makes repeated calls one action: the key is claimed before the work, so that of two concurrent calls one does
 * it. Without a key every call is a new action.
 */
export function createIdempotency(deps: { database: Database; clock: Clock }) {
  const { database, clock } = deps;

  return {
    /**
     * Claims a key for 24 hours.
     * @param reference name of the action, such as a broadcast's id.
     */
    async claim(keyed: KeyedAction, reference: string): Promise<Claim> {
      if (!keyed) return { kind: "new" };
      const { id, fingerprint } = keyed;
      const now = clock();
      const row = { id, fingerprint, reference, outcome: null, claimed_at: now };
      return database.write(async (trx): Promise<Claim> => {
        const claimed = await trx
          .insertInto("idempotency_keys")
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column("id")
              .doUpdateSet(row)
              .where("idempotency_keys.claimed_at", "<=", now - KEY_LIFETIME_MS),
          )
          .returning("id")
          .executeTakeFirst();
        if (claimed) return { kind: "new" };
        const known = await trx
          .selectFrom("idempotency_keys")
          .select(["fingerprint", "outcome", "reference", "claimed_at"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        // The claim was released this very moment: the caller may simply try again.
        if (!known) return { kind: "under-way" };
        if (known.fingerprint !== fingerprint) return { kind: "other-request" };
        if (known.outcome !== null) return { kind: "done", outcome: known.outcome };
        if (known.claimed_at > now - MAX_DURATION_MS) return { kind: "under-way" };
        await trx.updateTable("idempotency_keys").set({ claimed_at: now }).where("id", "=", id).execute();
        return { kind: "interrupted", reference: known.reference };
      });
    },

    /** Stores the outcome, which every later call with this key returns. */
    async settle(trx: Write, keyed: KeyedAction, outcome: string): Promise<void> {
      if (!keyed) return;
      await trx.updateTable("idempotency_keys").set({ outcome }).where("id", "=", keyed.id).execute();
    },

    /** Releases a claim whose action was not done: the next call with this key may do it. */
    async release(keyed: KeyedAction): Promise<void> {
      if (!keyed) return;
      await database.write((trx) =>
        trx.deleteFrom("idempotency_keys").where("id", "=", keyed.id).where("outcome", "is", null).execute(),
      );
    },
  };
}

/** Removes expired keys. */
export function sweepIdempotencyKeys(database: Database, clock: Clock): Promise<void> {
  const isExpired = sql<boolean>`claimed_at <= ${clock() - KEY_LIFETIME_MS}`;
  return sweepRows(database, { table: "idempotency_keys", key: "id" }, isExpired);
}
