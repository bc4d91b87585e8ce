import type { Database, Write } from "~/db/database.server";
import { days } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import type { Clock } from "~/services/clock";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { Engine } from "./audience.server";
import { countOwnDevices, getLastDevice } from "./audience.server";
import { lockBroadcast, getMovingState } from "./broadcast-state.server";
import { getPayloadBytes } from "./message";
import { addPart, isForPlatform } from "./platform-part.server";

/** `already`: it was confirmed before, and nothing changed (hardening C30). */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-broadcast" | "not-sendable" | "no-devices" }
  | { ok: false; error: "audience-changed"; devices: number }
  /** The daily limit is used up. */
  | { ok: false; error: "day-is-full"; retryAfterSeconds: number };

/**
 * Moves a draft to `preparing`, or to `sending` without devices of ours, in one write; the worker takes over
 * from there. The audience is every device registered until now.
 * @param options.expectedDevices number the operator reviewed; a different one now must be reviewed first.
 * Undefined without a review.
 */
export function confirmBroadcast(
  deps: {
    database: Database;
    clock: Clock;
    engine: Engine;
    appTypes: { readonly landing: string; readonly application: string };
    isPlatformUsed: boolean;
    /** Limit of confirmed broadcasts within 24 hours; 0 disables it. */
    perDay: number;
  },
  options: { id: string; expectedDevices: number | undefined },
  recordAction: (trx: Write) => Promise<void>,
): Promise<Confirmation> {
  const { database, clock, isPlatformUsed, perDay } = deps;
  const { id, expectedDevices } = options;
  return database.write(async (trx): Promise<Confirmation> => {
    const broadcast = await lockBroadcast(trx, database.dialect, id);
    if (!broadcast) return { ok: false, error: "unknown-broadcast" };
    if (broadcast.state !== "draft") return { ok: true, already: true };
    const isFilled = broadcast.title.trim() !== "" && broadcast.body.trim() !== "";
    if (!isFilled || getPayloadBytes(broadcast) > MAX_PAYLOAD_BYTES)
      return { ok: false, error: "not-sendable" };
    const isPlatforms = isForPlatform(isPlatformUsed, broadcast.audience);
    const devices = await countOwnDevices(trx, deps, { ...broadcast, tenantId: broadcast.tenant_id });
    if (devices === 0 && !isPlatforms) return { ok: false, error: "no-devices" };
    if (expectedDevices !== undefined && devices !== expectedDevices) {
      return { ok: false, error: "audience-changed", devices };
    }
    if (perDay > 0) {
      const allowed = { broadcasts: { allowed: perDay, windowMs: days(1) } };
      const attempt = await consume(trx, allowed, clock());
      if (!attempt.ok) {
        return { ok: false, error: "day-is-full", retryAfterSeconds: attempt.retryAfterSeconds };
      }
    }
    if (isPlatforms) await addPart(trx, id, clock());
    const audience_through = devices === 0 ? "" : await getLastDevice(trx);
    const state = getMovingState({ ...broadcast, audience_through });
    await trx
      .updateTable("broadcasts")
      .set({ state, confirmed_at: clock(), audience_through })
      .where("id", "=", id)
      .execute();
    await recordAction(trx);
    return { ok: true, already: false };
  });
}
