import { emailKey } from "~/lib/email-address";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import { isSecondFactorOn, removeSecondFactor } from "~/services/second-factor/codes.server";
import type { ServiceDeps } from "~/services/service-deps";
import { endAccountSessions } from "~/services/sessions/sessions.server";
import type { PasswordHasher } from "./password-hasher";
import { issuePassword } from "./passwords.server";
import { setTemporaryPassword, type IssuedPassword } from "./user-management.server";

/** No account has the address. Lists those of the superadmins, for whoever mistyped their own. */
export type UnknownAccount = { ok: false; error: "unknown-account"; superadmins: string[] };

/**
 * Resets any account, superadmins and protected ones included, for whoever can open the database on the server
 * (`npm run accounts`). Nobody else can help the only superadmin.
 */
export function createAccountReset(deps: ServiceDeps & { hasher: PasswordHasher }) {
  const { database } = deps;
  const audit = createAudit(deps);

  return {
    /**
     * Replaces the password by a temporary one and ends the account's sessions. The second factor stays: only its
     * owner knows whether it is lost too.
     */
    async resetPassword(
      address: string,
    ): Promise<(IssuedPassword & { hasSecondFactor: boolean }) | UnknownAccount> {
      const issued = await issuePassword(deps);
      const outcome = await database.write(async (trx) => {
        const account = await trx
          .selectFrom("accounts")
          .select(["id", "email", "full_name"])
          .where("email", "=", emailKey(address))
          .forUpdate()
          .executeTakeFirst();
        if (!account) return undefined;
        await audit(trx, SYSTEM, { action: "reissue-password", subject: account.email });
        const hasSecondFactor = await isSecondFactorOn(trx, account.id);
        return { ...(await setTemporaryPassword(trx, deps.clock, account, issued)), hasSecondFactor };
      });
      return outcome ?? describeUnknown();
    },

    /** Removes the second factor and ends the account's sessions. "off": there is none. */
    async resetSecondFactor(
      address: string,
    ): Promise<{ ok: true; email: string } | { ok: false; error: "off"; email: string } | UnknownAccount> {
      const outcome = await database.write(async (trx) => {
        const account = await trx
          .selectFrom("accounts")
          .select(["id", "email"])
          .where("email", "=", emailKey(address))
          .forUpdate()
          .executeTakeFirst();
        if (!account) return undefined;
        const { id, email } = account;
        if (!(await isSecondFactorOn(trx, id))) return { ok: false, error: "off", email } as const;
        await audit(trx, SYSTEM, { action: "reset-second-factor", subject: email });
        await removeSecondFactor(trx, id);
        await endAccountSessions(trx, id);
        return { ok: true, email } as const;
      });
      return outcome ?? describeUnknown();
    },
  };

  async function describeUnknown(): Promise<UnknownAccount> {
    const rows = await database.read
      .selectFrom("accounts")
      .select("email")
      .where("role", "=", "superadmin")
      .orderBy("email")
      .execute();
    return { ok: false, error: "unknown-account", superadmins: rows.map(({ email }) => email) };
  }
}
