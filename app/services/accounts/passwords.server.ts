import { randomInt } from "node:crypto";
import type { Database, Write } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { limitKey } from "~/lib/network-address";
import { forgetAttempts, refund, consume } from "~/services/attempts/attempts.server";
import type { Attempt } from "~/services/attempts/attempts.server";
import { createAudit } from "~/services/audit/audit.server";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { LONGEST_PASSWORD } from "./password-hasher";
import type { PasswordHasher } from "./password-hasher";

/** How long a temporary password logs in, unless its owner chooses another one before. */
export const TEMPORARY_PASSWORD_MS = hours(24);

/** Without the signs that look alike (0 O o, 1 l I): somebody will read it to somebody else. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const RANDOM_LENGTH = 8;

/** 8 random characters, 46 bits, followed by `A1!` (specification, section 5). */
export function newTemporaryPassword(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => SIGNS.charAt(randomInt(SIGNS.length)));
  return `${random.join("")}A1!`;
}

/** Bad tries on one account from one address; another address is not locked out by them (C3, ASVS 6.1.1). */
const PER_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
/** Bad tries from one address on whatever accounts. */
const PER_ADDRESS = { allowed: 50, windowMs: minutes(15) };

/** Counts a try of somebody at an account's password. Reaching a limit is written down, once per window (C36). */
export function consumePasswordAttempt(
  deps: { database: Database; clock: Clock; newId: NewId },
  { email, actor }: { email: string; actor: string },
  origin: Provenance & { readonly address: string },
): Promise<Attempt> {
  const { address } = origin;
  const limits = { [networkKey(address)]: PER_ADDRESS, [accountKey(email, address)]: PER_ACCOUNT };
  return deps.database.write(async (trx) => {
    const attempt = await consume(trx, limits, deps.clock());
    if (!attempt.ok && attempt.isFirst) {
      await createAudit(deps)(
        trx,
        { ...origin, by: actor },
        { action: "throttle-password", subject: email, outcome: "refused" },
      );
    }
    return attempt;
  });
}

/** The password was right: what counted against the account is forgotten, and this try counts for nothing. */
export async function refundPasswordAttempt(trx: Write, email: string, address: string): Promise<void> {
  // In the order in which a try counts them, so that logins at the same moment never wait for each other in a circle.
  await refund(trx, networkKey(address));
  await forgetAttempts(trx, accountKey(email, address));
}

function networkKey(address: string): string {
  return `login:${limitKey(address)}`;
}

function accountKey(email: string, address: string): string {
  return `${networkKey(address)}:${email}`;
}

export type OwnPasswordCheck =
  /** The hash is the one that was checked: what follows must find it unchanged. */
  | { ok: true; passwordHash: string }
  | { ok: false; error: "throttled"; retryAfterSeconds: number }
  /** "signed-out": the account was removed while this was under way. */
  | { ok: false; error: "wrong-password" | "busy" | "signed-out" };

/**
 * Whether the person at an open session knows its password. Tries count as those at the login do (C3); when it is right,
 * forgivePasswordTry belongs into the write that follows.
 * @param action what it is asked for; a wrong password is written down as a refusal of it.
 */
export async function checkOwnPassword(
  deps: { database: Database; hasher: PasswordHasher; clock: Clock; newId: NewId },
  who: SignedIn,
  { password, action }: { password: string; action: AuditAction },
  origin: Provenance & { readonly address: string },
): Promise<OwnPasswordCheck> {
  const { database, hasher } = deps;
  const attempt = await consumePasswordAttempt(deps, { email: who.email, actor: who.email }, origin);
  if (!attempt.ok) return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  const account = await database.read
    .selectFrom("accounts")
    .select("password_hash")
    .where("id", "=", who.accountId)
    .executeTakeFirst();
  if (!account) return { ok: false, error: "signed-out" };
  // No password is longer, and one character more keeps a longer one wrong (C37).
  const typed = password.slice(0, LONGEST_PASSWORD + 1);
  const verdict = await hasher.verify(account.password_hash, typed, limitKey(origin.address));
  if (verdict === "busy") return { ok: false, error: "busy" };
  if (verdict !== "mismatch") return { ok: true, passwordHash: account.password_hash };
  await database.write((trx) =>
    createAudit(deps)(trx, { ...origin, by: who.email }, { action, subject: who.email, outcome: "refused" }),
  );
  return { ok: false, error: "wrong-password" };
}
