import type { Database } from "~/db/database.server";
import { formatNetwork } from "~/lib/network-address";
import { describeUserAgent } from "~/lib/user-agent";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { createAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { toSessionHandle, isAlive } from "./sessions.server";
import type { SignedIn } from "./sessions.server";

/** One of a person's active sessions. */
export interface OwnSession {
  readonly handle: string;
  readonly isThisOne: boolean;
  /** "Firefox on Linux". */
  readonly browser: string;
  /** "203.0.113.x". */
  readonly network: string;
  readonly startedAt: number;
  /** Rounded to the minute. */
  readonly lastSeenAt: number;
}

/** Lists and ends a person's own sessions. Every query is limited to their account. */
export function createOwnSessions(deps: { database: Database; clock: Clock; newId: NewId }) {
  const { database, clock } = deps;

  return {
    /** Lists this session first, then the others by last use. */
    async list(person: SignedIn): Promise<OwnSession[]> {
      const rows = await database.read
        .selectFrom("sessions")
        .selectAll()
        .where("account_id", "=", person.accountId)
        .where(isAlive(clock()))
        .orderBy("last_seen_at", "desc")
        .orderBy("created_at", "desc")
        .execute();
      const sessions = rows.map((row) => {
        const handle = toSessionHandle(row.id_hash);
        return {
          handle,
          isThisOne: handle === person.sessionHandle,
          browser: describeUserAgent(row.user_agent),
          network: formatNetwork(row.network),
          startedAt: row.created_at,
          lastSeenAt: row.last_seen_at,
        };
      });
      return sessions.sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
    },

    /**
     * Ends one of the person's other sessions, from its next request on (C6).
     * @returns false when the handle is none of theirs (any more), or is this session, which Logout ends.
     */
    endOne: async (person: SignedIn, handle: string, origin: Provenance): Promise<boolean> =>
      (await end(person, "end-session", (other) => other === handle, origin)) > 0,

    /** Ends all of the person's sessions but this one; resolves with their number. */
    endOthers: (person: SignedIn, origin: Provenance): Promise<number> =>
      end(person, "end-other-sessions", () => true, origin),
  };

  async function end(
    person: SignedIn,
    action: AuditAction,
    isSelected: (handle: string) => boolean,
    origin: Provenance,
  ): Promise<number> {
    return database.write(async (trx) => {
      const own = await trx
        .selectFrom("sessions")
        .select(["id_hash", "user_agent", "network"])
        .where("account_id", "=", person.accountId)
        .execute();
      const selected = own.filter(({ id_hash }) => {
        const handle = toSessionHandle(id_hash);
        return handle !== person.sessionHandle && isSelected(handle);
      });
      if (selected.length === 0) return 0;
      const ids = selected.map((session) => session.id_hash);
      await trx.deleteFrom("sessions").where("id_hash", "in", ids).execute();
      const names = selected.map(
        (session) => `${describeUserAgent(session.user_agent)} from ${formatNetwork(session.network)}`,
      );
      await createAudit(deps)(
        trx,
        { ...origin, by: person.email },
        { action, subject: [...new Set(names)].join(", ") },
      );
      return selected.length;
    });
  }
}
