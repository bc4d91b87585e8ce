import type { Database } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import type { Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { removeSecondFactor } from "~/services/second-factor/second-factor-rows.server";
import { endAccountSessions } from "~/services/sessions/sessions.server";
import { countAccounts, findAccount, listAccounts } from "./account-list.server";
import { asSuperadmin, asSuperadminOn } from "./as-superadmin.server";
import type { Requester, Refused, Unauthorized } from "./as-superadmin.server";
import { insertAccount, issuePassword } from "./new-account.server";
import type { PasswordHasher } from "./password-hasher";

/** A temporary password in clear: shown once, never stored. */
export interface Issued {
  readonly ok: true;
  readonly email: string;
  readonly fullName: string;
  readonly temporaryPassword: string;
  readonly expiresAt: number;
}

type AddAccountResult = Issued | Unauthorized | { ok: false; error: "email-taken" };
export type ReissuePasswordResult = Issued | Refused;
export type RemoveAccountResult = { ok: true } | Refused;
export type ResetSecondFactorResult = { ok: true } | Refused;

export type UserManagement = ReturnType<typeof createUserManagement>;

/**
 * Manages accounts for superadmins (specification, section 6). Every change checks the rules in its own
 * transaction: a superadmin who is demoted or removed while a request is open changes nothing with it.
 */
export function createUserManagement(deps: {
  database: Database;
  hasher: PasswordHasher;
  clock: Clock;
  newId: NewId;
  /** Addresses in lower case that can be neither removed nor given a temporary password. */
  protectedAccounts: readonly string[];
}) {
  const { database, clock } = deps;
  const getView = (who: Requester) => ({ ...deps, who, now: clock() });

  return {
    /** Lists accounts newest first; `before` is the id of the last one on the previous page. */
    list: (who: Requester, page: { before?: string | undefined; limit: number }) =>
      listAccounts(database.read, page, getView(who)),

    count: () => countAccounts(database.read),

    /** Finds one account in the form the list shows, or undefined. */
    find: (who: Requester, id: string) => findAccount(database.read, id, getView(who)),

    /** Finds the id of the account with this address, or undefined. */
    async findId(email: string): Promise<string | undefined> {
      const row = await database.read
        .selectFrom("accounts")
        .select("id")
        .where("email", "=", emailKey(email))
        .executeTakeFirst();
      return row?.id;
    },

    /**
     * Creates an account with the role admin and a temporary password; of two concurrent calls for one address,
     * one succeeds.
     * @param input.password the temporary password; random when left out.
     */
    async addAccount(
      who: Requester,
      input: { email: string; fullName: string; password?: string },
      origin: Provenance,
    ): Promise<AddAccountResult> {
      const email = emailKey(input.email);
      const { temporaryPassword, stored } = await issuePassword(deps, input.password);
      const audited = { action: "add-account", who, origin } as const;
      return asSuperadmin<AddAccountResult>(
        deps,
        audited,
        async () => email,
        async (trx, audit) => {
          const row = await insertAccount(trx, deps, { email, fullName: input.fullName, stored });
          await audit(email, row ? "ok" : "refused");
          return row
            ? toIssued(row, temporaryPassword, stored.password_expires_at)
            : { ok: false, error: "email-taken" };
        },
      );
    },

    /**
     * Replaces the password of an account with a temporary one and ends its sessions.
     * @param password the temporary password; random when left out.
     */
    async reissueTemporaryPassword(
      who: Requester,
      accountId: string,
      origin: Provenance,
      password?: string,
    ): Promise<ReissuePasswordResult> {
      const { temporaryPassword, stored } = await issuePassword(deps, password);
      const audited = { action: "reissue-password", who, origin } as const;
      return asSuperadminOn<ReissuePasswordResult>(deps, audited, accountId, async (trx, account) => {
        await trx.updateTable("accounts").set(stored).where("id", "=", account.id).execute();
        await endAccountSessions(trx, account.id);
        return toIssued(account, temporaryPassword, stored.password_expires_at);
      });
    },

    /** Removes the second factor of an account whose owner lost it, and ends the account's sessions. */
    resetSecondFactor(
      who: Requester,
      accountId: string,
      origin: Provenance,
    ): Promise<ResetSecondFactorResult> {
      const audited = { action: "reset-second-factor", who, origin } as const;
      return asSuperadminOn<ResetSecondFactorResult>(deps, audited, accountId, async (trx, account) => {
        await removeSecondFactor(trx, account.id);
        await endAccountSessions(trx, account.id);
        return { ok: true };
      });
    },

    /** Removes an account and, with it, all its sessions. */
    removeAccount(who: Requester, accountId: string, origin: Provenance): Promise<RemoveAccountResult> {
      const audited = { action: "remove-account", who, origin } as const;
      return asSuperadminOn<RemoveAccountResult>(deps, audited, accountId, async (trx, account) => {
        await endAccountSessions(trx, account.id);
        await trx.deleteFrom("accounts").where("id", "=", account.id).execute();
        return { ok: true };
      });
    },
  };
}

function toIssued(
  account: { email: string; full_name: string },
  temporaryPassword: string,
  expiresAt: number,
): Issued {
  return { ok: true, email: account.email, fullName: account.full_name, temporaryPassword, expiresAt };
}
