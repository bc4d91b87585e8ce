import type { Database } from "~/db/database.server";
import { limitKey } from "~/lib/network-address";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { LONGEST_PASSWORD } from "./password-hasher";
import type { PasswordHasher } from "./password-hasher";
import { takePasswordTry } from "./password-tries.server";

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
  has: { database: Database; hasher: PasswordHasher; clock: Clock; newId: NewId },
  who: SignedIn,
  { password, action }: { password: string; action: AuditAction },
  origin: Provenance & { readonly address: string },
): Promise<OwnPasswordCheck> {
  const { database, hasher, clock, newId } = has;
  const attempt = await takePasswordTry(has, { email: who.email, actor: who.email }, origin);
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
    recordAudit(trx, {
      ...{ id: newId(), at: clock(), actor: who.email, action, subject: who.email, outcome: "refused" },
      ...{ network: origin.network, requestId: origin.requestId },
    }),
  );
  return { ok: false, error: "wrong-password" };
}
