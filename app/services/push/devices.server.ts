import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import { countUpTo, hasRows } from "~/db/rows";
import type { DevicesTable } from "~/db/tables/broadcast";
import { hours, minutes } from "~/lib/durations";
import { consume, getNetworkLimits } from "~/services/attempts/attempts.server";
import { createAudit, type Caller } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { PushSender } from "./push-sender";

/** Registrations per network: enough for an office of many people, too few for a program. */
const PER_NETWORK = { allowed: 60, windowMs: minutes(10) };
const PER_VISITOR = { allowed: 20, windowMs: hours(1) };
/** Devices per visitor; a further one evicts the least recently used (hardening C28). */
const DEVICES_PER_VISITOR = 10;
/**
 * Maximum number of devices; once reached, new ones are refused until some are removed. Visitors are free to
 * invent: evicting the oldest instead would let an attacker push out real people's devices (hardening R36).
 */
const MAX_DEVICES = 500_000;
/** Interval between counts of all devices, which take 25 ms on SQLite. */
const COUNT_INTERVAL_MS = minutes(10);
/** UTF-8 bytes (hardening C28). */
const MAX_TOKEN_BYTES = 4096;

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
  const { database, sender, appType, scope, clock, newId, maxDevices = MAX_DEVICES } = deps;
  const audit = createAudit(deps);
  let counted = { at: -Infinity, isFull: false };

  return {
    /**
     * Registers a visitor's device; it is on disk when the promise resolves. Registering the same device again
     * updates its row; another visitor takes it over, because the browser changed hands.
     */
    async register(options: DeviceToken, visitor: RegisteringVisitor): Promise<RegisterOutcome> {
      if (options.userId !== visitor.uid) return { ok: false, error: "foreign" };
      if (options.appType !== appType) return { ok: false, error: "unusable" };
      if (Buffer.byteLength(options.token) > MAX_TOKEN_BYTES) return { ok: false, error: "unusable" };
      const address = sender.readToken(options.token);
      if (!address) return { ok: false, error: "unusable" };
      const now = clock();
      const identity = address.endpoint || address.token;
      const registration = {
        ...address,
        uid: visitor.uid,
        app_type: appType,
        tenant_id: null,
        kind: sender.name,
        scope,
        last_seen_at: now,
      };
      const row = {
        ...registration,
        id: newId(),
        token_hash: createHash("sha256").update(identity).digest("hex"),
        created_at: now,
        first_seen_at: now,
        first_accepted_at: null,
      };
      const isFull = await areDevicesFull(now);
      return database.write(async (trx): Promise<RegisterOutcome> => {
        const limited = await checkRateLimit(trx, visitor, now);
        if (limited) return limited;
        const known = trx.selectFrom("devices").where("token_hash", "=", row.token_hash);
        if (isFull && !(await hasRows(known))) {
          return { ok: false, error: "limited", retryAfterSeconds: COUNT_INTERVAL_MS / 1000 };
        }
        await upsertDevice(trx, row, registration);
        await evictOldest(trx, visitor.uid);
        return { ok: true };
      });
    },
  };

  async function areDevicesFull(now: number): Promise<boolean> {
    if (now >= counted.at && now < counted.at + COUNT_INTERVAL_MS) return counted.isFull;
    const { read } = database;
    const count = await countUpTo(maxDevices, read, read.selectFrom("devices").select("id"));
    counted = { at: now, isFull: count >= maxDevices };
    return counted.isFull;
  }

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

/** @param registration the columns that registering a known device again replaces. */
async function upsertDevice(trx: Write, row: DevicesTable, registration: Partial<DevicesTable>) {
  await trx
    .insertInto("devices")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("token_hash").doUpdateSet({
        ...registration,
        created_at: sql`case when devices.uid = excluded.uid then devices.created_at else ${row.created_at} end`,
        // An earlier acceptance counts only for the key it was signed with.
        first_accepted_at: sql`case when devices.public_key = excluded.public_key then devices.first_accepted_at end`,
      }),
    )
    .execute();
}

async function evictOldest(trx: Write, uid: string): Promise<void> {
  await trx
    .deleteFrom("devices")
    .where("uid", "=", uid)
    .where("id", "not in", (db) =>
      db
        .selectFrom("devices")
        .select("id")
        .where("uid", "=", uid)
        .orderBy("last_seen_at", "desc")
        .orderBy("id", "desc")
        .limit(DEVICES_PER_VISITOR),
    )
    .execute();
}
