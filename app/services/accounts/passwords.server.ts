import { randomInt } from "node:crypto";
import type { Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { hours, minutes } from "~/lib/durations";
import {
  clearAttempts,
  consume,
  getNetworkLimits,
  refundAll,
  type Attempt,
} from "~/services/attempts/attempts.server";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Caller } from "~/services/audit/audit.server";
import type { Clock, ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { MAX_PASSWORD_LENGTH, type PasswordHasher } from "./password-hasher";

/** Lifetime of a temporary password, unless its owner chooses another one before. */
const TEMPORARY_PASSWORD_MS = hours(24);

/** Omits characters that look alike (0 O o, 1 l I), because people read these passwords to each other. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const RANDOM_LENGTH = 8;

/** Creates 8 random characters, 46 bits, followed by `A1!` (specification, section 5). */
function createTemporaryPassword(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `${random.join("")}A1!`;
}

/** Creates a temporary password, random unless one is given: in clear, and hashed as columns of an account. */
export async function issuePassword(
  { hasher, clock }: { hasher: PasswordHasher; clock: Clock },
  temporaryPassword = createTemporaryPassword(),
) {
  const stored = {
    password_hash: await hasher.hash(temporaryPassword),
    password_is_temporary: 1 as const,
    password_expires_at: clock() + TEMPORARY_PASSWORD_MS,
  };
  return { temporaryPassword, stored };
}

/** Failed attempts on one account from one address, which lock out no other address (C3, ASVS 6.1.1). */
const PER_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
/** Failed attempts from one address on any account. */
const PER_ADDRESS = { allowed: 50, windowMs: minutes(15) };

/** Failed attempts on one account from anywhere, beyond which it is slowed (hardening C49). */
const ANYWHERE = { allowed: 300, windowMs: hours(24) };
/** Attempts on a slowed account from all networks together that no login has come from. */
const SLOWED = { allowed: 10, windowMs: minutes(15) };

export type PasswordAttempt =
  /**
   * `hidesVerdict`: at a login, a wrong password is answered as a throttled one. `consumed` are the keys that counted
   * the attempt, in their order.
   */
  | { ok: true; hidesVerdict: boolean; retryAfterSeconds: number; consumed: readonly string[] }
  | Extract<Attempt, { ok: false }>;

/**
 * Counts an attempt at an account's password. Reaching a limit is recorded in the audit, once per window (C36).
 *
 * An account with many failures is slowed for everybody but its owner: where somebody has logged in to it before,
 * and where a second factor protects it, attempts go on. The second case answers wrong passwords as throttled
 * ones, so that a stranger learns nothing of it.
 */
export function consumePasswordAttempt(
  deps: ServiceDeps,
  { email, actor }: { email: string; actor: string },
  origin: Caller,
): Promise<PasswordAttempt> {
  const now = deps.clock();
  return deps.database.write(async (trx): Promise<PasswordAttempt> => {
    const attempt = await consume(trx, getLimits(email, origin.address), now);
    if (!attempt.ok) {
      if (attempt.isFirst) await recordRefusal(trx);
      return attempt;
    }
    const anywhere = await consume(trx, { [getAnywhereKey(email)]: ANYWHERE }, now);
    const consumed = listKeys(email, origin.address);
    const accepted = { ok: true, hidesVerdict: false, retryAfterSeconds: 0 } as const;
    if (anywhere.ok) return { ...accepted, consumed };
    if (anywhere.isFirst) await recordRefusal(trx);
    if (await isKnownNetwork(trx, email, origin.network)) return { ...accepted, consumed };
    const slowed = await consume(trx, { [getSlowedKey(email)]: SLOWED }, now);
    consumed.push(getSlowedKey(email));
    if (slowed.ok) return { ...accepted, consumed };
    if (!(await hasSecondFactor(trx, email))) return slowed;
    return { ok: true, hidesVerdict: true, retryAfterSeconds: slowed.retryAfterSeconds, consumed };
  });

  async function recordRefusal(trx: Write): Promise<void> {
    const refusal = { action: "throttle-password", subject: email, outcome: "refused" } as const;
    await createAudit(deps)(trx, { ...origin, by: actor }, refusal);
  }
}

/**
 * Refunds an attempt after a right password, and clears those on the account from the same smallest network.
 * @param consumed the keys that counted it; left out: those that count an attempt from a known network.
 */
export async function refundPasswordAttempt(
  trx: Write,
  email: string,
  address: string,
  consumed: readonly string[] = listKeys(email, address),
): Promise<void> {
  await refundAll(trx, consumed);
  const [own = ""] = Object.keys(getAccountLimits(email, address));
  await clearAttempts(trx, own);
}

/** Refunds an attempt whose password was not checked. */
export function refundUnchecked(
  { database }: ServiceDeps,
  { consumed }: { consumed: readonly string[] },
): Promise<void> {
  return database.write((trx) => refundAll(trx, consumed));
}

const getLimits = (email: string, address: string) => ({
  ...getNetworkLimits("login", address, PER_ADDRESS),
  ...getAccountLimits(email, address),
});

/** Lists the keys that count an attempt from a known network, in their order. */
const listKeys = (email: string, address: string) => [
  ...Object.keys(getLimits(email, address)),
  getAnywhereKey(email),
];

const getAccountLimits = (email: string, address: string) =>
  getNetworkLimits("login", address, PER_ACCOUNT, `:${email}`);

const getAnywhereKey = (email: string) => `login-to:${email}`;
const getSlowedKey = (email: string) => `slow-login-to:${email}`;

/** Returns whether somebody logged in to the account from this network, as far back as the audit reaches. */
async function isKnownNetwork(trx: Write, email: string, network: string): Promise<boolean> {
  if (network === "unknown") return false;
  return hasRows(
    trx
      .selectFrom("audit")
      .where("actor", "=", email)
      .where("action", "=", "login")
      .where("outcome", "=", "ok")
      .where("network", "=", network),
  );
}

function hasSecondFactor(trx: Write, email: string): Promise<boolean> {
  return hasRows(
    trx
      .selectFrom("second_factors")
      .innerJoin("accounts", "accounts.id", "second_factors.account_id")
      .where("accounts.email", "=", email)
      .where("confirmed_at", "is not", null),
  );
}

export type OwnPasswordCheck =
  /** The hash that was checked; the write that follows must find it unchanged (`lockCheckedAccount`). */
  | { ok: true; passwordHash: string }
  | { ok: false; error: "throttled"; retryAfterSeconds: number }
  /** "signed-out": the account was removed while the check was in progress. */
  | { ok: false; error: "wrong-password" | "busy" | "signed-out" };

/**
 * Checks whether the person at an open session knows the account's password. Attempts count like those of a
 * login (C3); after a right password, `refundPasswordAttempt` belongs in the write that follows.
 * @param action the action that requires the password; a wrong password is recorded as its refusal.
 */
export async function checkOwnPassword(
  deps: ServiceDeps & { hasher: PasswordHasher },
  operator: SignedIn,
  action: AuditAction,
  password: string,
  origin: Caller,
): Promise<OwnPasswordCheck> {
  const { database, hasher } = deps;
  const attempt = await consumePasswordAttempt(
    deps,
    { email: operator.email, actor: operator.email },
    origin,
  );
  if (!attempt.ok) return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  const account = await database.read
    .selectFrom("accounts")
    .select("password_hash")
    .where("id", "=", operator.accountId)
    .executeTakeFirst();
  if (!account) return { ok: false, error: "signed-out" };
  // No valid password is longer, and one more character keeps a longer one wrong (C37).
  const typed = password.slice(0, MAX_PASSWORD_LENGTH + 1);
  const verdict = await hasher.verify(account.password_hash, typed, origin.address);
  if (verdict === "busy") {
    await refundUnchecked(deps, attempt);
    return { ok: false, error: "busy" };
  }
  if (verdict !== "mismatch") return { ok: true, passwordHash: account.password_hash };
  const refusal = { action, subject: operator.email, outcome: "refused" } as const;
  await database.write((trx) => createAudit(deps)(trx, { ...origin, by: operator.email }, refusal));
  return { ok: false, error: "wrong-password" };
}

/**
 * Locks the account whose password was checked, in the write that follows.
 * @returns its address; undefined where it was removed, or has another password by now.
 */
export function lockCheckedAccount(trx: Write, { accountId }: SignedIn, passwordHash: string) {
  return trx
    .selectFrom("accounts")
    .select("email")
    .where("id", "=", accountId)
    .where("password_hash", "=", passwordHash)
    .forUpdate()
    .executeTakeFirst();
}
