import type { Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { createAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { startSession } from "~/services/sessions/sessions.server";
import type { RequestOrigin } from "./request-origin";

/** An account as it was when its credentials were verified. */
export type VerifiedAccount = Pick<Selectable<AccountsTable>, "id" | "email" | "password_hash">;

/**
 * Completes every login, in one transaction with the last verification: records the login and starts a session.
 * @returns the session's id, or undefined when the verified credentials are not valid any more: the account was
 *   removed, or its password was replaced or expired meanwhile.
 */
export async function signIn(
  trx: Write,
  deps: { clock: Clock; newId: NewId },
  verified: VerifiedAccount,
  origin: RequestOrigin,
): Promise<string | undefined> {
  const now = deps.clock();
  const account = await trx
    .updateTable("accounts")
    .set({ last_login_at: now })
    .where("id", "=", verified.id)
    .where("password_hash", "=", verified.password_hash)
    .where((where) =>
      where.or([where("password_expires_at", "is", null), where("password_expires_at", ">", now)]),
    )
    .returning("id")
    .executeTakeFirst();
  if (!account) return undefined;
  const { email } = verified;
  await createAudit(deps)(trx, { ...origin, by: email }, { action: "login", subject: email });
  return startSession(trx, account.id, origin, now);
}
