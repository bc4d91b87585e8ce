import type { Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { hours, minutes } from "~/lib/durations";
import { consume, getNetworkLimits } from "~/services/attempts/attempts.server";
import { createAudit, type Caller } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import {
  COUNT_INTERVAL_MS,
  createDeviceLimit,
  evictOldest,
  hashDevice,
  isTokenShort,
  upsertDevices,
} from "./device-rows.server";
import type { PushSender } from "./push-sender";

/** Registrations per network: enough for an office of many people, too few for a program. */
const PER_NETWORK = { allowed: 60, windowMs: minutes(10) };
const PER_VISITOR = { allowed: 20, windowMs: hours(1) };

/** Request body of a page (specification, section 3: device token record). */
export interface DeviceToken {
  readonly token: string;
  readonly userId: string;
  readonly appType: string;
}

interface RegisteringVisitor extends Caller {
  /** The id that its bearer token proves. */
  readonly uid: string;
}

/** "foreign": the userId is not the bearer's. "unusable": not a token of this engine, or for another app. */
type RegisterOutcome =
  | { ok: true }
  | { ok: false; error: "foreign" | "unusable" }
  | { ok: false; error: "limited"; retryAfterSeconds: number };

interface DevicesDeps extends ServiceDeps {
  readonly sender: Pick<PushSender, "name" | "readToken">;
  /** App that the devices belong to: the landing page's. */
  readonly appType: string;
  /** Scope of the service worker that receives the messages. */
  readonly scope: string;
  readonly maxDevices?: number;
}

export function createDevices(deps: DevicesDeps) {
  const { database, sender, appType, scope, clock, newId } = deps;
  const audit = createAudit(deps);
  const limit = createDeviceLimit(deps);

  return {
    /**
     * Registers a visitor's device; it is on disk when the promise resolves. Registering the same device again
     * updates its row; another visitor takes it over, because the browser changed hands.
     */
    async register(options: DeviceToken, visitor: RegisteringVisitor): Promise<RegisterOutcome> {
      if (options.userId !== visitor.uid) return { ok: false, error: "foreign" };
      if (options.appType !== appType) return { ok: false, error: "unusable" };
      if (!isTokenShort(options.token)) return { ok: false, error: "unusable" };
      const address = sender.readToken(options.token);
      if (!address) return { ok: false, error: "unusable" };
      const now = clock();
      const row = {
        ...address,
        id: newId(),
        token_hash: hashDevice(address),
        uid: visitor.uid,
        app_type: appType,
        tenant_id: null,
        kind: sender.name,
        scope,
        created_at: now,
        first_seen_at: now,
        last_seen_at: now,
        first_accepted_at: null,
      };
      const isFull = await limit.isFull(now);
      return database.write(async (trx): Promise<RegisterOutcome> => {
        const limited = await checkRateLimit(trx, visitor, now);
        if (limited) return limited;
        const known = trx.selectFrom("devices").where("token_hash", "=", row.token_hash);
        if (isFull && !(await hasRows(known))) {
          return { ok: false, error: "limited", retryAfterSeconds: COUNT_INTERVAL_MS / 1000 };
        }
        await upsertDevices(trx, [row]);
        await evictOldest(trx, appType, [visitor.uid]);
        return { ok: true };
      });
    },
  };

  async function checkRateLimit(trx: Write, visitor: RegisteringVisitor, now: number) {
    const limits = {
      ...getNetworkLimits("push", visitor.address, PER_NETWORK),
      [`push-of:${visitor.uid}`]: PER_VISITOR,
    };
    const attempt = await consume(trx, limits, now);
    if (attempt.ok) return undefined;
    if (attempt.isFirst) {
      const actor = { ...visitor, by: "visitor" };
      await audit(trx, actor, { action: "throttle-push", subject: "", outcome: "refused" });
    }
    return { ok: false, error: "limited", retryAfterSeconds: attempt.retryAfterSeconds } as const;
  }
}
