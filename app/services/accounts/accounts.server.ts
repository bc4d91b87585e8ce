import type { Database, Write } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import type { Attempt } from "~/services/attempts/attempts.server";
import { forgetAttempts, giveBackAttempt, takeAttempt } from "~/services/attempts/attempts.server";
import type { AuditEntry, Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { endSessionsOf, startSession } from "~/services/sessions/sessions.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { limitKey } from "~/lib/network-address";
import type { PasswordHasher } from "./password-hasher";
import type { PasswordPolicy, PasswordProblem } from "./password-policy.server";

/** Bad tries on one account from one address; another address is not locked out by them (C3, ASVS 6.1.1). */
const PER_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
/** Bad tries from one address on whatever accounts. */
const PER_ADDRESS = { allowed: 50, windowMs: minutes(15) };

export interface RequestOrigin extends Provenance {
  /** The full address: what limits count by. */
  readonly address: string;
  readonly userAgent: string;
}

export type LoginOutcome =
  | { ok: true; sessionId: string; passwordIsTemporary: boolean }
  | { ok: false; error: "invalid" | "busy" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

export type PasswordChange =
  | { ok: true; sessionId: string }
  | { ok: false; error: "throttled"; retryAfterSeconds: number }
  /** "signed-out": the account was removed, or its password replaced, while this was under way. */
  | { ok: false; error: "wrong-password" | "same-password" | "busy" | "signed-out" | PasswordProblem };

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(has: {
  database: Database;
  hasher: PasswordHasher;
  passwordPolicy: PasswordPolicy;
  clock: Clock;
  newId: NewId;
}) {
  const { database, hasher, passwordPolicy, clock, newId } = has;

  return {
    /**
     * Verifies address and password and starts a session. Unknown address, wrong password, a temporary one that has run
     * out or was used before, and a throttled try are the same to the caller's eye: same text, like time (C2).
     */
    async logIn(given: { email: string; password: string }, origin: RequestOrigin): Promise<LoginOutcome> {
      // What is no address is nobody's, and need not reach a database.
      const email = isPlainAddress(emailKey(given.email)) ? emailKey(given.email) : "";
      const attempt = await takeTry(email, "visitor", origin);
      const account = await findByEmail(email);
      const stored = attempt.ok && account && !isExpired(account.password_expires_at) ? account : undefined;
      const verdict = await hasher.verify(stored?.password_hash, given.password);

      if (!attempt.ok) {
        return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
      }
      if (verdict === "busy") return { ok: false, error: "busy" };
      if (verdict === "mismatch" || !stored) {
        await note({ actor: "visitor", action: "login", subject: email, outcome: "refused" }, origin);
        return { ok: false, error: "invalid" };
      }
      const rehashed = verdict === "outdated" ? await hasher.hash(given.password) : undefined;
      const isTemporary = stored.password_is_temporary === 1;
      const sessionId = await database.write(async (trx) => {
        const now = clock();
        const account = await trx
          .updateTable("accounts")
          .set({
            last_login_at: now,
            ...(rehashed && { password_hash: rehashed }),
            // This login is its only one: from now on it serves to choose another, and no second login begins with it.
            ...(isTemporary && { password_expires_at: now }),
          })
          .where("id", "=", stored.id)
          // What was verified must still stand: not removed, replaced or used up by another login meanwhile.
          .where("password_hash", "=", stored.password_hash)
          .where((where) =>
            where.or([where("password_expires_at", "is", null), where("password_expires_at", ">", now)]),
          )
          .returning("id")
          .executeTakeFirst();
        if (!account) return undefined;
        await forgiveTry(trx, email, origin.address);
        await audit(trx, { actor: email, action: "login", subject: email, outcome: "ok" }, origin);
        return startSession(trx, account.id, origin, now);
      });
      if (sessionId === undefined) {
        await note({ actor: "visitor", action: "login", subject: email, outcome: "refused" }, origin);
        return { ok: false, error: "invalid" };
      }
      return { ok: true, sessionId, passwordIsTemporary: isTemporary };
    },

    /** Changes one's own password. Ends every session of the account and starts a new one for this browser. */
    async changePassword(
      who: SignedIn,
      given: { current: string; next: string },
      origin: RequestOrigin,
    ): Promise<PasswordChange> {
      const problem = passwordPolicy.problemWith(given.next);
      if (problem) return { ok: false, error: problem };
      const attempt = await takeTry(who.email, who.email, origin);
      if (!attempt.ok) {
        return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
      }
      const account = await findByEmail(who.email);
      if (account?.id !== who.accountId) return { ok: false, error: "signed-out" };
      const verdict = await hasher.verify(account.password_hash, given.current);
      if (verdict === "busy") return { ok: false, error: "busy" };
      if (verdict === "mismatch") {
        await note(
          { actor: who.email, action: "change-password", subject: who.email, outcome: "refused" },
          origin,
        );
        return { ok: false, error: "wrong-password" };
      }
      if (given.current.normalize("NFC") === given.next.normalize("NFC")) {
        return { ok: false, error: "same-password" };
      }
      const password_hash = await hasher.hash(given.next);
      const sessionId = await database.write(async (trx) => {
        const changed = await trx
          .updateTable("accounts")
          .set({ password_hash, password_is_temporary: 0, password_expires_at: null })
          .where("id", "=", account.id)
          .where("password_hash", "=", account.password_hash)
          .returning("id")
          .executeTakeFirst();
        if (!changed) return undefined;
        await forgiveTry(trx, who.email, origin.address);
        await endSessionsOf(trx, account.id);
        await audit(
          trx,
          { actor: who.email, action: "change-password", subject: who.email, outcome: "ok" },
          origin,
        );
        return startSession(trx, account.id, origin, clock());
      });
      return sessionId === undefined ? { ok: false, error: "signed-out" } : { ok: true, sessionId };
    },
  };

  function isExpired(expiresAt: number | null): boolean {
    return expiresAt !== null && expiresAt <= clock();
  }

  async function findByEmail(email: string) {
    return database.read.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
  }

  /** Counts a try of somebody at an account's password. Reaching a limit is written down, once per window (C36). */
  async function takeTry(email: string, actor: string, origin: RequestOrigin): Promise<Attempt> {
    const { address } = origin;
    const limits = { [accountKey(email, address)]: PER_ACCOUNT, [networkKey(address)]: PER_ADDRESS };
    return database.write(async (trx) => {
      const attempt = await takeAttempt(trx, limits, clock());
      if (!attempt.ok && attempt.isFirst) {
        await audit(trx, { actor, action: "throttle-password", subject: email, outcome: "refused" }, origin);
      }
      return attempt;
    });
  }

  async function note(entry: AuditEntry, origin: Provenance): Promise<void> {
    await database.write((trx) => audit(trx, entry, origin));
  }

  function audit(trx: Write, entry: AuditEntry, { network, requestId }: Provenance) {
    return recordAudit(trx, { ...entry, network, requestId, id: newId(), at: clock() });
  }
}

/** The password was right: what counted against the account is forgotten, and this try counts for nothing. */
async function forgiveTry(trx: Write, email: string, address: string): Promise<void> {
  await forgetAttempts(trx, accountKey(email, address));
  await giveBackAttempt(trx, networkKey(address));
}

function networkKey(address: string): string {
  return `login:${limitKey(address)}`;
}

function accountKey(email: string, address: string): string {
  return `${networkKey(address)}:${email}`;
}
