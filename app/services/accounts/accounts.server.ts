import { sql, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { isTimeZone } from "~/lib/zoned-time";
import { createAudit, type Provenance, type RequestOrigin } from "~/services/audit/audit.server";
import { withdrawPendingEmailChanges } from "~/services/email-changes/withdraw-pending.server";
import { isSecondFactorOn, spendCode } from "~/services/second-factor/codes.server";
import {
  createPendingLogin,
  isPendingLoginOver,
  type PendingLogin,
} from "~/services/second-factor/pending-logins.server";
import type { SecretBox } from "~/services/second-factor/secret-box.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endAccountSessions, type SignedIn, type VerifiedAccount } from "~/services/sessions/sessions.server";
import { getPasswordFingerprint } from "./password-fingerprint";
import {
  checkOwnPassword,
  consumePasswordAttempt,
  refundPasswordAttempt,
  refundUnchecked,
} from "./passwords.server";
import type { OwnPasswordCheck } from "./passwords.server";
import type { PasswordHasher } from "./password-hasher";
import type { PasswordPolicy, PasswordProblem } from "./password-policy.server";

/** The result of a right password: whoever signs in, or the login that still needs a code and opens nothing else. */
export type Login = VerifiedAccount | PendingLogin;

type LoginOutcome =
  | { ok: true; login: Login }
  | { ok: false; error: "invalid" | "busy" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

type CodeOutcome =
  | { ok: true; login: VerifiedAccount }
  /** "over": five minutes have passed, or the password or the second factor has changed. */
  | { ok: false; error: "wrong-code" | "over" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

/** "signed-out" also says that the password was replaced while the change was in progress. */
type PasswordChange =
  | { ok: true; account: VerifiedAccount }
  | { ok: false; error: "same-password" | PasswordProblem }
  | Extract<OwnPasswordCheck, { ok: false }>;

/** An account's row as it was when its credentials were verified. */
type VerifiedRow = Pick<Selectable<AccountsTable>, "id" | "email" | "password_hash">;

export type Accounts = ReturnType<typeof createAccounts>;

interface AccountsDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly box: SecretBox;
}

export function createAccounts(deps: AccountsDeps) {
  const { database, hasher, passwordPolicy, clock } = deps;
  const audit = createAudit(deps);

  return {
    /**
     * Verifies email and password, and records the login unless a code is required too. An unknown address, a
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
      if (verdict === "busy") {
        await refundUnchecked(deps, attempt);
        return { ok: false, error: "busy" };
      }
      if (verdict === "mismatch" || !stored) {
        const refused = await refuse(email, origin);
        const { hidesVerdict, retryAfterSeconds } = attempt;
        return hidesVerdict ? { ok: false, error: "throttled", retryAfterSeconds } : refused;
      }
      const verified = verdict === "outdated" ? await rehash(stored, input.password, origin.address) : stored;
      const outcome = await database.write(async (trx): Promise<LoginOutcome | undefined> => {
        if (await isSecondFactorOn(trx, verified.id)) {
          await refundPasswordAttempt(trx, email, origin.address, attempt.consumed);
          return { ok: true, login: createPendingLogin(toVerifiedAccount(verified), clock()) };
        }
        const login = await recordLogin(trx, verified, origin);
        if (!login) return undefined;
        await refundPasswordAttempt(trx, email, origin.address, attempt.consumed);
        return { ok: true, login };
      });
      return outcome ?? refuse(email, origin);
    },

    /** Returns whether the second step of a login still waits for a code. */
    async isPending(pending: PendingLogin | undefined): Promise<boolean> {
      return (await findPending(pending)) !== undefined;
    },

    /** Completes the second step of a login: uses up a code and records the login. */
    async enterCode(
      pending: PendingLogin | undefined,
      code: string,
      origin: RequestOrigin,
    ): Promise<CodeOutcome> {
      const account = await findPending(pending);
      if (!account) return { ok: false, error: "over" };
      return database.write(async (trx): Promise<CodeOutcome> => {
        const spent = await spendCode(trx, deps, { account, actor: "visitor", code }, origin);
        if (!spent.ok) return spent.error === "not-on" ? { ok: false, error: "over" } : spent;
        // `recordLogin` checks the password again, and so notices a change meanwhile.
        const login = await recordLogin(trx, account, origin);
        return login ? { ok: true, login } : { ok: false, error: "over" };
      });
    },

    /**
     * Changes the person's own password and ends all sessions of the account; this browser may start a new one. A
     * pending change of the address ends too: somebody who knew the password before may have asked for it.
     */
    async changePassword(
      operator: SignedIn,
      input: { current: string; next: string },
      origin: RequestOrigin,
    ): Promise<PasswordChange> {
      const problem = passwordPolicy.findProblem(input.next);
      if (problem) return { ok: false, error: problem };
      const checked = await checkOwnPassword(deps, operator, "change-password", input.current, origin);
      if (!checked.ok) return checked;
      if (input.current.normalize("NFC") === input.next.normalize("NFC")) {
        await database.write((trx) => refundPasswordAttempt(trx, operator.email, origin.address));
        return { ok: false, error: "same-password" };
      }
      const password_hash = await hasher.hash(input.next);
      const hasChanged = await database.write(async (trx) => {
        const changed = await trx
          .updateTable("accounts")
          .set({ password_hash, password_is_temporary: 0, password_expires_at: null })
          .where("id", "=", operator.accountId)
          .where("password_hash", "=", checked.passwordHash)
          .returning("id")
          .executeTakeFirst();
        if (!changed) return false;
        await refundPasswordAttempt(trx, operator.email, origin.address);
        await endAccountSessions(trx, operator.accountId);
        await withdrawPendingEmailChanges(trx, clock(), operator.accountId);
        const { email } = operator;
        await audit(trx, { ...origin, by: email }, { action: "change-password", subject: email });
        return true;
      });
      if (!hasChanged) return { ok: false, error: "signed-out" };
      return {
        ok: true,
        account: toVerifiedAccount({ id: operator.accountId, email: operator.email, password_hash }),
      };
    },

    /** Changes the name by which colleagues know the person. */
    async changeName(operator: SignedIn, fullName: string, origin: Provenance): Promise<void> {
      if (fullName === operator.fullName) return;
      await database.write(async (trx) => {
        await trx
          .updateTable("accounts")
          .set({ full_name: fullName })
          .where("id", "=", operator.accountId)
          .execute();
        await audit(trx, { ...origin, by: operator.email }, { action: "change-name", subject: fullName });
      });
    },

    /** Stores the time zone in which the person sees times. @returns false, and changes nothing, for no IANA name. */
    async chooseTimeZone({ accountId }: Pick<SignedIn, "accountId">, timeZone: string): Promise<boolean> {
      if (!isTimeZone(timeZone)) return false;
      await database.write((trx) =>
        trx.updateTable("accounts").set({ time_zone: timeZone }).where("id", "=", accountId).execute(),
      );
      return true;
    },
  };

  async function findPending(pending: PendingLogin | undefined) {
    if (!pending || isPendingLoginOver(pending, clock())) return undefined;
    const account = await database.read
      .selectFrom("accounts")
      .innerJoin("second_factors", "second_factors.account_id", "accounts.id")
      .select(["accounts.id", "email", "password_hash"])
      .where("accounts.id", "=", pending.accountId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    const isSamePassword =
      account && getPasswordFingerprint(account.password_hash) === pending.passwordFingerprint;
    return isSamePassword ? account : undefined;
  }

  /**
   * Completes every login, in one transaction with the last verification.
   * @returns the account, or undefined when the verified credentials are not valid any more: the account was removed, or
   *   its password was replaced or expired meanwhile.
   */
  async function recordLogin(trx: Write, verified: VerifiedRow, origin: RequestOrigin) {
    const now = clock();
    const account = await trx
      .updateTable("accounts")
      .set({ last_login_at: now })
      .where("id", "=", verified.id)
      .where("password_hash", "=", verified.password_hash)
      .where(isPasswordValid(now))
      .returning(["id", "email", "password_hash"])
      .executeTakeFirst();
    if (!account) return undefined;
    const { email } = account;
    await audit(trx, { ...origin, by: email }, { action: "login", subject: email });
    return toVerifiedAccount(account);
  }

  /** Hashes a password with the current settings. @returns the account with the hash that is stored afterwards. */
  async function rehash(stored: VerifiedRow, password: string, address: string): Promise<VerifiedRow> {
    const password_hash = await hasher.hash(password);
    const updated = await database.write((trx) =>
      trx
        .updateTable("accounts")
        .set({ password_hash })
        .where("id", "=", stored.id)
        .where("password_hash", "=", stored.password_hash)
        .returning("id")
        .executeTakeFirst(),
    );
    if (updated) return { ...stored, password_hash };
    // Another login with the same password was faster, or the password was replaced: then `recordLogin` refuses.
    const current = await database.read
      .selectFrom("accounts")
      .select(["id", "email", "password_hash"])
      .where("id", "=", stored.id)
      .executeTakeFirst();
    if (!current) return stored;
    const verdict = await hasher.verify(current.password_hash, password, address);
    return verdict === "match" ? current : stored;
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

const toVerifiedAccount = ({ id, email, password_hash }: VerifiedRow): VerifiedAccount => ({
  needsCode: false,
  accountId: id,
  email,
  passwordFingerprint: getPasswordFingerprint(password_hash),
});
