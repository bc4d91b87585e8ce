import type { Write } from "~/db/database.server";
import type { RequestOrigin } from "~/services/accounts/accounts.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { forgiveCodeTry, takeCodeTry } from "./code-tries.server";
import { bareCode, spendRecoveryCode } from "./recovery-codes.server";
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
  const attempt = await takeCodeTry(trx, codeTry, now);
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
  await forgiveCodeTry(trx, codeTry);
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
