import { sql } from "kysely";
import { hash, randomBytes } from "node:crypto";
import type { Read, Write } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { hours, minutes } from "~/lib/durations";
import { formatNetwork } from "~/lib/network-address";
import { describeUserAgent } from "~/lib/user-agent";
import { toKnownZone } from "~/lib/zoned-time";
import { getPasswordFingerprint } from "~/services/accounts/password-fingerprint";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Provenance, type RequestOrigin } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { recordInPassing } from "~/services/record-in-passing.server";
import { sweepRows } from "~/services/sweep-in-chunks.server";

const IDLE_MS = minutes(30);
export const ABSOLUTE_MS = hours(12);
/** Tolerance for a clock that is set back during a session. */
const CLOCK_SLACK_MS = hours(1);
/** Minimum interval between writes of the last use, so that reading a page is rarely a write. */
const TOUCH_MS = minutes(1);

/** The signed-in operator, read at each request: a changed role or a removal takes effect at once. */
export interface SignedIn {
  /** Public name of this session. */
  readonly sessionHandle: string;
  readonly accountId: string;
  readonly email: string;
  readonly fullName: string;
  readonly role: AccountsTable["role"];
  readonly passwordIsTemporary: boolean;
  /** Whether this account's login requires a code besides the password. */
  readonly hasSecondFactor: boolean;
  /** An IANA name, in which times are shown: UTC until the person chooses one. */
  readonly timeZone: string;
  readonly hasChosenTimeZone: boolean;
}

/** An account whose credentials were verified: a session may start for it while it has the same password. */
export interface VerifiedAccount {
  readonly needsCode: false;
  readonly accountId: string;
  readonly email: string;
  /** `getPasswordFingerprint` of the hash that was verified. */
  readonly passwordFingerprint: string;
}

/** What a session is started with. */
export interface SessionStart {
  readonly account: VerifiedAccount;
  readonly origin: Pick<RequestOrigin, "userAgent" | "network">;
}

/** What a session holds at each request. */
export interface SessionState {
  readonly user: SignedIn;
  /** Epoch milliseconds: up to a minute before the last use (TOUCH_MS). */
  readonly lastSeenAt: number;
}

export type Sessions = ReturnType<typeof createSessions>;
export type OwnSession = Awaited<ReturnType<Sessions["list"]>>[number];

/**
 * Manages sessions behind an opaque id of 256 random bits, of which the database stores only the hash (C5). A
 * session ends after 30 minutes without use, 12 hours after login, or at once with its row.
 */
export function createSessions(deps: ServiceDeps) {
  const { database, clock } = deps;
  const audit = createAudit(deps);

  return {
    /**
     * Starts a session; resolves with its id, which is stored nowhere. Undefined when the account was removed or its
     * password replaced since it was verified: such a change ends every session, so none begins with the old one (C6).
     */
    async create({ account, origin }: SessionStart): Promise<string | undefined> {
      const id = randomBytes(32).toString("base64url");
      const { accountId, passwordFingerprint } = account;
      return database.write(async (trx) => {
        const stored = await trx
          .selectFrom("accounts")
          .select("password_hash")
          .where("id", "=", accountId)
          .forUpdate()
          .executeTakeFirst();
        if (!stored || getPasswordFingerprint(stored.password_hash) !== passwordFingerprint) return undefined;
        const now = clock();
        await trx
          .insertInto("sessions")
          .values({
            id_hash: hash("sha256", id),
            account_id: accountId,
            created_at: now,
            last_seen_at: now,
            user_agent: origin.userAgent.slice(0, 300),
            network: origin.network,
          })
          .execute();
        return id;
      });
    },

    /** Reads a session without recording a use, see `recordUse`; undefined when its id is unknown or it has ended. */
    async read(id: string): Promise<SessionState | undefined> {
      const idHash = hash("sha256", id);
      const row = await findSession(database.read, idHash, clock());
      if (!row) return undefined;
      const user: SignedIn = {
        sessionHandle: toSessionHandle(idHash),
        accountId: row.account_id,
        email: row.email,
        fullName: row.full_name,
        role: row.role,
        passwordIsTemporary: row.password_is_temporary === 1,
        hasSecondFactor: row.second_factor_confirmed_at !== null,
        timeZone: toKnownZone(row.time_zone),
        hasChosenTimeZone: row.time_zone !== null,
      };
      return { user, lastSeenAt: row.last_seen_at };
    },

    /**
     * Records a use of a session that was just read, so that it stays alive; at most once a minute. While the database
     * takes no writes nothing is recorded, so that screens still open and say why; a slow write is not waited for.
     */
    async recordUse(id: string, { lastSeenAt }: Pick<SessionState, "lastSeenAt">): Promise<void> {
      const now = clock();
      if (lastSeenAt >= now - TOUCH_MS) return;
      await recordInPassing(
        database.write((trx) =>
          trx
            .updateTable("sessions")
            .set({ last_seen_at: now })
            .where("id_hash", "=", hash("sha256", id))
            .execute(),
        ),
      );
    },

    /** Removes a session; an unknown id is no error. */
    async remove(id: string): Promise<void> {
      await database.write((trx) =>
        trx.deleteFrom("sessions").where("id_hash", "=", hash("sha256", id)).execute(),
      );
    },

    /** Records that a person logs out, before their session is removed. */
    async recordLogout({ email }: Pick<SignedIn, "email">, origin: Provenance): Promise<void> {
      await database.write((trx) =>
        audit(trx, { ...origin, by: email }, { action: "logout", subject: email }),
      );
    },

    /** Lists the person's own sessions: this one first, then the others by last use. */
    async list(operator: SignedIn) {
      const rows = await database.read
        .selectFrom("sessions")
        .selectAll()
        .where("account_id", "=", operator.accountId)
        .where(isAlive(clock()))
        .orderBy("last_seen_at", "desc")
        .orderBy("created_at", "desc")
        .execute();
      const sessions = rows.map((row) => {
        const handle = toSessionHandle(row.id_hash);
        return {
          handle,
          isThisOne: handle === operator.sessionHandle,
          browser: describeUserAgent(row.user_agent),
          network: formatNetwork(row.network),
          startedAt: row.created_at,
          // Up to a minute before the last use.
          lastSeenAt: row.last_seen_at,
        };
      });
      return sessions.sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
    },

    /**
     * Ends one of the person's other sessions, from its next request on (C6).
     * @returns false when the handle is none of theirs (any more), or is this session, which Logout ends.
     */
    endOne: async (operator: SignedIn, handle: string, origin: Provenance): Promise<boolean> =>
      (await endOwn(operator, "end-session", origin, handle)) > 0,

    /** Ends all of the person's sessions but this one; resolves with their number. */
    endOthers: (operator: SignedIn, origin: Provenance): Promise<number> =>
      endOwn(operator, "end-other-sessions", origin),

    /** Removes the rows of ended sessions. */
    sweep(): Promise<void> {
      const isOver = sql<boolean>`not (${isAlive(clock())})`;
      return sweepRows(database, { table: "sessions", key: "id_hash" }, isOver);
    },
  };

  /** Ends the person's session of this handle, or all, but never the current one; resolves with their number. */
  function endOwn(operator: SignedIn, action: AuditAction, origin: Provenance, wanted?: string) {
    return database.write(async (trx) => {
      const own = await trx
        .selectFrom("sessions")
        .select(["id_hash", "user_agent", "network"])
        .where("account_id", "=", operator.accountId)
        .where(isAlive(clock()))
        .execute();
      const selected = own.filter(({ id_hash }) => {
        const handle = toSessionHandle(id_hash);
        return handle !== operator.sessionHandle && (wanted === undefined || handle === wanted);
      });
      if (selected.length === 0) return 0;
      const ids = selected.map((session) => session.id_hash);
      await trx.deleteFrom("sessions").where("id_hash", "in", ids).execute();
      const names = selected.map(
        (session) => `${describeUserAgent(session.user_agent)} from ${formatNetwork(session.network)}`,
      );
      const subject = [...new Set(names)].join(", ");
      await audit(trx, { ...origin, by: operator.email }, { action, subject });
      return selected.length;
    });
  }
}

/**
 * Condition on a row of `sessions`: neither idle for too long nor too old. A session whose last use lies
 * further ahead than CLOCK_SLACK_MS is from before the clock was set back, and its age is unknown: it counts as
 * ended, so that none outlives its end by more than that (hardening R18).
 */
const isAlive = (now: number) => sql<boolean>`
  sessions.last_seen_at + ${sql.lit(IDLE_MS)} > ${now}
  and sessions.last_seen_at - ${sql.lit(CLOCK_SLACK_MS)} <= ${now}
  and sessions.created_at + ${sql.lit(ABSOLUTE_MS)} > ${now}
`;

function findSession(read: Read, idHash: string, now: number) {
  return read
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
    .select(["sessions.account_id", "email", "full_name", "role", "password_is_temporary", "last_seen_at"])
    .select(["time_zone", "second_factors.confirmed_at as second_factor_confirmed_at"])
    .where("id_hash", "=", idHash)
    .where(isAlive(now))
    .executeTakeFirst();
}

/** Ends every session of an account, for example when its password changes (C6). */
export async function endAccountSessions(trx: Write, accountId: string): Promise<void> {
  await trx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
}

/** Derives a session's public name one way: a page holds neither the cookie's id nor the database's hash. */
function toSessionHandle(idHash: string): string {
  return hash("sha256", `session handle:${idHash}`).slice(0, 32);
}
