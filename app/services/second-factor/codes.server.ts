import { createHash, randomInt } from "node:crypto";
import type { Read, Write } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { limitKey } from "~/lib/network-address";
import type { RequestOrigin } from "~/services/accounts/request-origin";
import { forgetAttempts, refund, consume } from "~/services/attempts/attempts.server";
import type { Attempt } from "~/services/attempts/attempts.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { SecretBox } from "./secret-box.server";
import { isTotpCode, stepOfCode } from "./totp.server";

export type CodeCheck =
  | { ok: true }
  | { ok: false; error: "wrong-code" }
  /** There is no second factor (any more). */
  | { ok: false; error: "not-on" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

interface Given {
  readonly account: { readonly id: string; readonly email: string };
  /** Who is written down: the account's address, or "visitor" before it is certain who it is. */
  readonly actor: string;
  /** As typed: six digits, or a recovery code. */
  readonly code: string;
}

/**
 * Checks a code and uses it up, in the transaction of what it permits: each code works once, also when it comes twice at
 * the same moment. Tries are counted before they are looked at (C3), and wrong ones are written down (C36).
 */
export async function spendCode(
  trx: Write,
  { box, clock, newId }: { box: SecretBox; clock: Clock; newId: NewId },
  { account, actor, code }: Given,
  { network, requestId, address }: RequestOrigin,
): Promise<CodeCheck> {
  const now = clock();
  const bare = bareCode(code);
  const isRecoveryCode = !isTotpCode(bare);
  const about = { id: newId(), at: now, subject: account.email, network, requestId };

  const factor = await trx
    .selectFrom("second_factors")
    .select("sealed_secret")
    .where("account_id", "=", account.id)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) return { ok: false, error: "not-on" };

  const codeTry = { accountId: account.id, address, isRecoveryCode };
  const attempt = await consumeCodeAttempt(trx, codeTry, now);
  if (!attempt.ok) {
    if (attempt.isFirst) {
      await recordAudit(trx, { ...about, actor, action: "throttle-second-factor", outcome: "refused" });
    }
    return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  }
  const isRight = isRecoveryCode
    ? await spendRecoveryCode(trx, account.id, bare)
    : await spendStep(trx, account.id, stepOfCode(box.open(factor.sealed_secret, account.id), bare, now));
  if (!isRight) {
    await recordAudit(trx, { ...about, actor, action: "second-factor-code", outcome: "refused" });
    return { ok: false, error: "wrong-code" };
  }
  await refundCodeAttempt(trx, codeTry);
  if (isRecoveryCode) {
    await recordAudit(trx, { ...about, actor: account.email, action: "use-recovery-code", outcome: "ok" });
  }
  return { ok: true };
}

/** A step is used up with its code, and so are those before it (RFC 6238, section 5.2). */
async function spendStep(trx: Write, accountId: string, step: number | undefined): Promise<boolean> {
  if (step === undefined) return false;
  const spent = await trx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .where("last_step", "<", step)
    .returning("account_id")
    .executeTakeFirst();
  return spent !== undefined;
}

/** Wrong codes for one account from one network, and from one network for whatever accounts: as of passwords (C3). */
const PER_NETWORK_AND_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };
/**
 * Wrong authentication codes for one account from everywhere. Three of a million are right at any time, so this leaves
 * somebody who knows the password and has many networks a chance of 2 % in a year. It shuts nobody out: recovery codes,
 * which cannot be guessed, are not counted here.
 */
const PER_ACCOUNT = { allowed: 20, windowMs: hours(24) };

interface CodeTry {
  readonly accountId: string;
  /** The full address. */
  readonly address: string;
  readonly isRecoveryCode: boolean;
}

/** Counts a try. One that its own network's limit refuses is not counted against the account: it was not looked at. */
async function consumeCodeAttempt(trx: Write, codeTry: CodeTry, now: number): Promise<Attempt> {
  const near = await consume(
    trx,
    { [nearKey(codeTry)]: PER_NETWORK_AND_ACCOUNT, [networkKey(codeTry)]: PER_NETWORK },
    now,
  );
  if (!near.ok || codeTry.isRecoveryCode) return near;
  return consume(trx, { [accountKey(codeTry)]: PER_ACCOUNT }, now);
}

/** The code was right: this try counts for nothing. What others guessed at the account stays counted. */
async function refundCodeAttempt(trx: Write, codeTry: CodeTry): Promise<void> {
  await forgetAttempts(trx, nearKey(codeTry));
  await refund(trx, networkKey(codeTry));
  if (!codeTry.isRecoveryCode) await refund(trx, accountKey(codeTry));
}

const networkKey = ({ address }: CodeTry) => `code:${limitKey(address)}`;
const nearKey = (codeTry: CodeTry) => `${networkKey(codeTry)}:${codeTry.accountId}`;
const accountKey = ({ accountId }: CodeTry) => `code-of:${accountId}`;

const HOW_MANY = 10;
/** Without the signs that look alike (0 O, 1 I L): they are read from paper. */
const SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const GROUPS = 3;
const GROUP_LENGTH = 5;

const GROUP = `[${SIGNS}]{${GROUP_LENGTH}}`;
const RECOVERY_CODE = new RegExp(`^${GROUP}(?:-${GROUP}){${GROUPS - 1}}$`);

/** Whether it looks like one, as it is shown. */
export const isRecoveryCode = (text: string): boolean => RECOVERY_CODE.test(text);

/** What was typed, without what only makes it legible. */
export const bareCode = (typed: string): string => typed.replace(/[\s-]/g, "").toUpperCase();

/**
 * Replaces an account's recovery codes; resolves with the new ones in clear, which are kept nowhere: "K7M2P-X9QRT-4WBHD".
 * 15 signs are 74 bits, more than anybody tries out: so a plain SHA-256 keeps them, where a password needs a slow hash.
 */
export async function issueRecoveryCodes(trx: Write, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newRecoveryCode);
  await trx.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  await trx
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ account_id: accountId, code_hash: hashOf(accountId, bareCode(code)) })))
    .execute();
  return codes;
}

/** Uses a code up; false when it is none of the account's (any more). Of two at the same moment one gets it. */
async function spendRecoveryCode(trx: Write, accountId: string, bare: string): Promise<boolean> {
  const spent = await trx
    .deleteFrom("recovery_codes")
    .where("account_id", "=", accountId)
    .where("code_hash", "=", hashOf(accountId, bare))
    .returning("code_hash")
    .executeTakeFirst();
  return spent !== undefined;
}

/** At most ten. */
export async function countRecoveryCodes(read: Read, accountId: string): Promise<number> {
  const left = await read
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("account_id", "=", accountId)
    .execute();
  return left.length;
}

function newRecoveryCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => SIGNS.charAt(randomInt(SIGNS.length))).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

function hashOf(accountId: string, bare: string): string {
  return createHash("sha256").update(`${accountId}:${bare}`).digest("hex");
}
