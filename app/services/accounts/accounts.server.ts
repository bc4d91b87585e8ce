import { sql, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { createAudit, type RequestOrigin } from "~/services/audit/audit.server";
import { isSecondFactorOn, spendCode } from "~/services/second-factor/codes.server";
import type { PendingLogins } from "~/services/second-factor/pending-logins.server";
import type { SecretBox } from "~/services/second-factor/totp.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endAccountSessions, startSession, type SignedIn } from "~/services/sessions/sessions.server";
import { checkOwnPassword, consumePasswordAttempt, refundPasswordAttempt } from "./passwords.server";
import type { OwnPasswordCheck } from "./passwords.server";
import type { PasswordHasher } from "./password-hasher";
import type { PasswordPolicy, PasswordProblem } from "./password-policy.server";

export type LoginOutcome =
  | { ok: true; sessionId: string }
  /** The password was right and a code is required too; `pending` opens the second step and nothing else. */
  | { ok: false; error: "code-needed"; pending: string }
  | { ok: false; error: "invalid" | "busy" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

type CodeOutcome =
  | { ok: true; sessionId: string }
  /** "over": five minutes have passed, or the password or the second factor has changed. */
  | { ok: false; error: "wrong-code" | "over" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

/** "signed-out" also says that the password was replaced while the change was in progress. */
type PasswordChange =
  | { ok: true; sessionId: string }
  | { ok: false; error: "same-password" | PasswordProblem }
  | Extract<OwnPasswordCheck, { ok: false }>;

/** An account as it was when its credentials were verified. */
type VerifiedAccount = Pick<Selectable<AccountsTable>, "id" | "email" | "password_hash">;

export type Accounts = ReturnType<typeof createAccounts>;

interface AccountsDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly pendingLogins: PendingLogins;
  readonly box: SecretBox;
}

export function createAccounts(deps: AccountsDeps) {
  const { database, hasher, passwordPolicy, pendingLogins, clock } = deps;
  const audit = createAudit(deps);

  return {
    /**
     * Verifies email and password, and starts a session unless a code is required too. An unknown address, a
     * wrong password and an expired temporary password are indistinguishable to the caller: same text, similar
     * time (C2); only a right password reveals whether there is a second factor. Each attempt is counted before
     * the password is checked, and a throttled one costs no hash (C40).
     */
    async logIn(input: { email: string; password: string }, origin: RequestOrigin): Promise<LoginOutcome> {
      // A malformed address belongs to no account, so it does not reach the database.
      const email = isPlainAddress(emailKey(input.email)) ? emailKey(input.email) : "";
      const attempt = await consumePasswordAttempt(deps, { email, actor: "visitor" }, origin);
      if (!attempt.ok) {
        return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
      }
      const stored = await database.read
        .selectFrom("accounts")
        .selectAll()
        .where("email", "=", email)
        .where(isPasswordValid(clock()))
        .executeTakeFirst();
      const verdict = await hasher.verify(stored?.password_hash, input.password, origin.address);
      if (verdict === "busy") return { ok: false, error: "busy" };
      if (verdict === "mismatch" || !stored) {
        const refused = await refuse(email, origin);
        const { isSlowed, retryAfterSeconds } = attempt;
        return isSlowed ? { ok: false, error: "throttled", retryAfterSeconds } : refused;
      }
      const verified = verdict === "outdated" ? await rehash(stored, input.password) : stored;
      const outcome = await database.write(async (trx): Promise<LoginOutcome | undefined> => {
        if (await isSecondFactorOn(trx, verified.id)) {
          await refundPasswordAttempt(trx, email, origin.address);
          const pending = pendingLogins.createToken(verified.id, verified.password_hash);
          return { ok: false, error: "code-needed", pending };
        }
        const sessionId = await signIn(trx, verified, origin);
        if (sessionId === undefined) return undefined;
        await refundPasswordAttempt(trx, email, origin.address);
        return { ok: true, sessionId };
      });
      return outcome ?? refuse(email, origin);
    },

    /** Returns whether the second step of a login still waits for a code. */
    async isPending(token: string | undefined): Promise<boolean> {
      return (await findPending(token)) !== undefined;
    },

    /** Completes the second step of a login: uses up a code and starts the session. */
    async enterCode(token: string | undefined, code: string, origin: RequestOrigin): Promise<CodeOutcome> {
      const account = await findPending(token);
      if (!account) return { ok: false, error: "over" };
      return database.write(async (trx): Promise<CodeOutcome> => {
        const spent = await spendCode(trx, deps, { account, actor: "visitor", code }, origin);
        if (!spent.ok) return spent.error === "not-on" ? { ok: false, error: "over" } : spent;
        // `signIn` checks the password again, and so notices a change meanwhile.
        const sessionId = await signIn(trx, account, origin);
        return sessionId === undefined ? { ok: false, error: "over" } : { ok: true, sessionId };
      });
    },

    /** Changes the person's own password, and ends all sessions of the account but a new one for this browser. */
    async changePassword(
      person: SignedIn,
      input: { current: string; next: string },
      origin: RequestOrigin,
    ): Promise<PasswordChange> {
      const problem = passwordPolicy.findProblem(input.next);
      if (problem) return { ok: false, error: problem };
      const checked = await checkOwnPassword(deps, person, "change-password", input.current, origin);
      if (!checked.ok) return checked;
      if (input.current.normalize("NFC") === input.next.normalize("NFC")) {
        return { ok: false, error: "same-password" };
      }
      const password_hash = await hasher.hash(input.next);
      const sessionId = await database.write(async (trx) => {
        const changed = await trx
          .updateTable("accounts")
          .set({ password_hash, password_is_temporary: 0, password_expires_at: null })
          .where("id", "=", person.accountId)
          .where("password_hash", "=", checked.passwordHash)
          .returning("id")
          .executeTakeFirst();
        if (!changed) return undefined;
        await refundPasswordAttempt(trx, person.email, origin.address);
        await endAccountSessions(trx, person.accountId);
        const { email } = person;
        await audit(trx, { ...origin, by: email }, { action: "change-password", subject: email });
        return startSession(trx, person.accountId, origin, clock());
      });
      return sessionId === undefined ? { ok: false, error: "signed-out" } : { ok: true, sessionId };
    },
  };

  async function findPending(token: string | undefined) {
    const pending = pendingLogins.readToken(token ?? "");
    if (!pending) return undefined;
    const account = await database.read
      .selectFrom("accounts")
      .innerJoin("second_factors", "second_factors.account_id", "accounts.id")
      .select(["accounts.id", "email", "password_hash"])
      .where("accounts.id", "=", pending.accountId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    return account && pending.matches(account.password_hash) ? account : undefined;
  }

  /**
   * Completes every login, in one transaction with the last verification: records the login and starts a session.
   * @returns the session's id, or undefined when the verified credentials are not valid any more: the account was
   *   removed, or its password was replaced or expired meanwhile.
   */
  async function signIn(trx: Write, verified: VerifiedAccount, origin: RequestOrigin) {
    const now = clock();
    const account = await trx
      .updateTable("accounts")
      .set({ last_login_at: now })
      .where("id", "=", verified.id)
      .where("password_hash", "=", verified.password_hash)
      .where(isPasswordValid(now))
      .returning(["id", "email"])
      .executeTakeFirst();
    if (!account) return undefined;
    const { id, email } = account;
    await audit(trx, { ...origin, by: email }, { action: "login", subject: email });
    return startSession(trx, id, origin, now);
  }

  async function rehash(stored: VerifiedAccount, password: string): Promise<VerifiedAccount> {
    const password_hash = await hasher.hash(password);
    await database.write((trx) =>
      trx
        .updateTable("accounts")
        .set({ password_hash })
        .where("id", "=", stored.id)
        .where("password_hash", "=", stored.password_hash)
        .execute(),
    );
    return { ...stored, password_hash };
  }

  async function refuse(email: string, origin: RequestOrigin): Promise<LoginOutcome> {
    await database.write((trx) =>
      audit(trx, { ...origin, by: "visitor" }, { action: "login", subject: email, outcome: "refused" }),
    );
    return { ok: false, error: "invalid" };
  }
}

/** Condition on a row of `accounts`: its password has not expired. */
const isPasswordValid = (now: number) =>
  sql<boolean>`(password_expires_at is null or password_expires_at > ${now})`;
