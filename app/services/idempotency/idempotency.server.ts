import { sql } from "kysely";
import { createHash } from "node:crypto";
import type { Database, Write } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { CLOCK_TOLERANCE_MS } from "~/services/clock";
import type { Clock } from "~/services/clock";
import { sweepRows } from "~/services/sweep-in-pieces.server";

/** So long a key means the same action (C26). */
const KEY_KEPT_MS = hours(24);
/** No action is under way longer: a mail is given up after twelve minutes, by the clock of any instance. Else a crash cut it off. */
const UNDER_WAY_MS = minutes(15) + CLOCK_TOLERANCE_MS;

/** An action under the name its caller gave it. */
export interface Keyed {
  readonly id: string;
  /** Of what was asked for: the same key for something else is the caller's mistake. */
  readonly fingerprint: string;
}

/**
 * What somebody asks for under a key of their own; undefined without one.
 * @param owner whose key it is: others may use the same for something else.
 */
export function getKeyedRequest(
  owner: string,
  key: string | undefined,
  what: readonly (string | null)[],
): Keyed | undefined {
  if (key === undefined) return undefined;
  const fingerprint = createHash("sha256").update(JSON.stringify(what)).digest("hex");
  return { id: `${owner}:${key}`, fingerprint };
}

export type Claim =
  /** Nobody did it yet; now it is the caller's to do, and to settle or release. */
  | { kind: "new" }
  | { kind: "done"; outcome: string }
  | { kind: "under-way" }
  | { kind: "other-request" }
  /** Whoever did it was cut off. It is the caller's now, and may have been done. */
  | { kind: "interrupted"; reference: string };

export type Idempotency = ReturnType<typeof createIdempotency>;

/** What makes a repeated call the same action: claimed before the work, so that of two at once one does it. */
export function createIdempotency(deps: { database: Database; clock: Clock }) {
  const { database, clock } = deps;

  return {
    /** @param reference what the action will be known by elsewhere. */
    async claim({ id, fingerprint }: Keyed, reference: string): Promise<Claim> {
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
              .where("idempotency_keys.claimed_at", "<=", now - KEY_KEPT_MS),
          )
          .returning("id")
          .executeTakeFirst();
        if (claimed) return { kind: "new" };
        const known = await trx
          .selectFrom("idempotency_keys")
          .select(["fingerprint", "outcome"])
          .where("id", "=", id)
          .executeTakeFirst();
        // Released this very moment: the caller may simply ask again.
        if (!known) return { kind: "under-way" };
        if (known.fingerprint !== fingerprint) return { kind: "other-request" };
        if (known.outcome !== null) return { kind: "done", outcome: known.outcome };
        const takenOver = await trx
          .updateTable("idempotency_keys")
          .set({ claimed_at: now })
          .where("id", "=", id)
          .where("outcome", "is", null)
          .where("claimed_at", "<=", now - UNDER_WAY_MS)
          .returning("reference")
          .executeTakeFirst();
        return takenOver ? { kind: "interrupted", reference: takenOver.reference } : { kind: "under-way" };
      });
    },

    /** It is done, and ended so: what every later call with this key is told. */
    async settle(trx: Write, { id }: Keyed, outcome: string): Promise<void> {
      await trx.updateTable("idempotency_keys").set({ outcome }).where("id", "=", id).execute();
    },

    /** Nothing of it was done: the next call with this key may do it. */
    async release({ id }: Keyed): Promise<void> {
      await database.write((trx) =>
        trx.deleteFrom("idempotency_keys").where("id", "=", id).where("outcome", "is", null).execute(),
      );
    },
  };
}

/** Forgets keys that mean nothing any more. */
export function sweepIdempotencyKeys(database: Database, clock: Clock): Promise<void> {
  const isOver = sql<boolean>`claimed_at <= ${clock() - KEY_KEPT_MS}`;
  return sweepRows(database, { table: "idempotency_keys", key: "id" }, isOver);
}
