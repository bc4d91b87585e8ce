import type { Database } from "~/db/database.server";
import type { RequestOrigin } from "~/services/accounts/request-origin";
import { signIn } from "~/services/accounts/signing-in.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { spendCode } from "./codes.server";
import type { PendingLogins } from "./pending-logins.server";
import type { SecretBox } from "./secret-box.server";

type SecondStepOutcome =
  | { ok: true; sessionId: string }
  /** "over": five minutes have passed, or the password or the second factor has changed. */
  | { ok: false; error: "wrong-code" | "over" }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

/** Handles the second step of a login: the code, after the password was right. */
export function createSecondStep(deps: {
  database: Database;
  pendingLogins: PendingLogins;
  box: SecretBox;
  clock: Clock;
  newId: NewId;
}) {
  const { database, pendingLogins } = deps;

  return {
    /** Returns whether the pending login still waits for a code. */
    async isPending(token: string): Promise<boolean> {
      return (await findAccount(token)) !== undefined;
    },

    /** Uses up a code and starts the session. */
    async finish(token: string, code: string, origin: RequestOrigin): Promise<SecondStepOutcome> {
      const account = await findAccount(token);
      if (!account) return { ok: false, error: "over" };
      return database.write(async (trx): Promise<SecondStepOutcome> => {
        const spent = await spendCode(trx, deps, { account, actor: "visitor", code }, origin);
        if (!spent.ok) return spent.error === "not-on" ? { ok: false, error: "over" } : spent;
        // `signIn` checks the password again, and so notices a change meanwhile.
        const sessionId = await signIn(trx, deps, account, origin);
        return sessionId === undefined ? { ok: false, error: "over" } : { ok: true, sessionId };
      });
    },
  };

  async function findAccount(token: string) {
    const pending = pendingLogins.from(token);
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
}
