import { createHash, randomInt } from "node:crypto";
import type { Read, Write } from "~/db/database.server";

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
export async function spendRecoveryCode(trx: Write, accountId: string, bare: string): Promise<boolean> {
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
