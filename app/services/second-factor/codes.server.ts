import { hash, randomInt } from "node:crypto";
import type { Read, Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import { hours, minutes } from "~/lib/durations";
import {
  clearAttempts,
  consume,
  getNetworkLimits,
  refund,
  refundAll,
} from "~/services/attempts/attempts.server";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type RequestOrigin } from "~/services/audit/audit.server";
import type { Clock, NewId } from "~/services/service-deps";
import type { SecretBox } from "./secret-box.server";
import { isTotpCode, findTimeStep } from "./totp.server";

/** "not-on": no second factor is set up (any more). */
export type CodeCheck =
  | { ok: true }
  | { ok: false; error: "wrong-code" }
  | { ok: false; error: "not-on" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

interface CodeInput {
  readonly account: { readonly id: string; readonly email: string };
  /** Actor of the audit entries: the account's address, or "visitor" before the identity is certain. */
  readonly actor: string;
  /** As typed: six digits, or a recovery code. */
  readonly code: string;
}

/**
 * Checks a code and marks it used, in the transaction of the action it permits: each code works once, even when
 * submitted twice at once. Attempts are counted before the check (C3), and failed ones are recorded (C36).
 */
export async function spendCode(
  trx: Write,
  deps: { box: SecretBox; clock: Clock; newId: NewId },
  { account, actor, code }: CodeInput,
  origin: RequestOrigin,
): Promise<CodeCheck> {
  const now = deps.clock();
  const normalized = normalizeCode(code);
  const isForRecovery = !isTotpCode(normalized);
  const factor = await findConfirmed(trx, account.id);
  if (!factor) return { ok: false, error: "not-on" };

  const nearby = getNetworkLimits("code", origin.address, PER_NETWORK_AND_ACCOUNT, `:${account.id}`);
  const networks = getNetworkLimits("code", origin.address, PER_NETWORK);
  const anywhere = `code-of:${account.id}`;
  const limits = {
    ...nearby,
    ...networks,
    // Last, because an attempt that another limit refuses is not checked.
    ...(!isForRecovery && { [anywhere]: PER_ACCOUNT }),
  };
  const attempt = await consume(trx, limits, now);
  if (!attempt.ok) {
    if (attempt.isFirst) await audit(actor, "throttle-second-factor", "refused");
    return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  }
  const findStep = () => findTimeStep(deps.box.open(factor.sealed_secret, account.id), normalized, now);
  const isRight = isForRecovery
    ? await spendRecoveryCode(trx, account.id, normalized)
    : await spendStep(trx, account.id, findStep());
  if (!isRight) {
    await audit(actor, "second-factor-code", "refused");
    return { ok: false, error: "wrong-code" };
  }
  // Attempts of other networks on the account stay counted.
  await refundAll(trx, Object.keys({ ...nearby, ...networks }));
  await clearAttempts(trx, Object.keys(nearby)[0] ?? "");
  if (isForRecovery) await audit(account.email, "use-recovery-code", "ok");
  else await refund(trx, anywhere);
  return { ok: true };

  function audit(by: string, action: AuditAction, outcome: "ok" | "refused") {
    return createAudit(deps)(trx, { ...origin, by }, { action, subject: account.email, outcome });
  }
}

/** Returns whether an account's login requires a code besides the password. */
export async function isSecondFactorOn(trx: Write, accountId: string): Promise<boolean> {
  return (await findConfirmed(trx, accountId)) !== undefined;
}

function findConfirmed(trx: Write, accountId: string) {
  return trx
    .selectFrom("second_factors")
    .select("sealed_secret")
    .where("account_id", "=", accountId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
}

/** Removes an account's second factor and its recovery codes. */
export async function removeSecondFactor(trx: Write, accountId: string): Promise<void> {
  await trx.deleteFrom("second_factors").where("account_id", "=", accountId).execute();
  await trx.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
}

/** Marks a time step as used, and thereby all earlier ones (RFC 6238, section 5.2). */
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

/** Wrong codes from one network, for one account and for any: the same as for passwords (C3). */
const PER_NETWORK_AND_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };
/**
 * Wrong authentication codes for one account from all networks. Three codes in a million are right at any time,
 * so this leaves an attacker who knows the password and has many networks a chance of 2 % in a year. It locks
 * nobody out: recovery codes, which cannot be guessed, are not counted here.
 */
const PER_ACCOUNT = { allowed: 20, windowMs: hours(24) };

const CODE_COUNT = 10;
/** Omits characters that look alike (0 O, 1 I L): people read the codes from paper. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const GROUPS = 3;
const GROUP_LENGTH = 5;

const GROUP = `[${ALPHABET}]{${GROUP_LENGTH}}`;
const RECOVERY_CODE = new RegExp(`^${GROUP}(?:-${GROUP}){${GROUPS - 1}}$`);

/** Returns whether a text has the form of a recovery code as it is shown. */
export const isRecoveryCode = (text: string): boolean => RECOVERY_CODE.test(text);

/** Removes spaces and dashes from a typed code, and converts it to upper case. */
export const normalizeCode = (typed: string): string => typed.replace(/[\s-]/g, "").toUpperCase();

/**
 * Replaces an account's recovery codes; resolves with the new ones in clear ("K7M2P-X9QRT-4WBHD"), which are never
 * stored. 15 characters are 74 bits, more than can be tried out, so that they need no slow hash, as a password does.
 */
export async function issueRecoveryCodes(trx: Write, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, newRecoveryCode);
  await trx.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  const hashes = codes.map((code) => hashRecoveryCode(accountId, normalizeCode(code)));
  const rows = hashes.map((code_hash) => ({ account_id: accountId, code_hash }));
  await trx.insertInto("recovery_codes").values(rows).execute();
  return codes;
}

/** Uses up a recovery code. @returns false when it is not the account's (any more); of two uses one succeeds. */
async function spendRecoveryCode(trx: Write, accountId: string, normalized: string): Promise<boolean> {
  const spent = await trx
    .deleteFrom("recovery_codes")
    .where("account_id", "=", accountId)
    .where("code_hash", "=", hashRecoveryCode(accountId, normalized))
    .returning("code_hash")
    .executeTakeFirst();
  return spent !== undefined;
}

/** Counts the unused codes, at most ten. */
export function countRecoveryCodes(read: Read, accountId: string): Promise<number> {
  return countRows(read.selectFrom("recovery_codes").where("account_id", "=", accountId));
}

function newRecoveryCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

const hashRecoveryCode = (accountId: string, normalized: string) =>
  hash("sha256", `${accountId}:${normalized}`);
