import type { Database } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import type { Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { endSessionsOf } from "~/services/sessions/sessions.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { countAccounts, findAccount, listAccounts } from "./account-list.server";
import { asSuperadmin, asSuperadminOn } from "./as-superadmin.server";
import type { Refused, Unauthorized } from "./as-superadmin.server";
import type { PasswordHasher } from "./password-hasher";
import { newTemporaryPassword, TEMPORARY_PASSWORD_MS } from "./temporary-password.server";

/** A temporary password in clear: shown once, stored nowhere. */
export interface Issued {
  readonly ok: true;
  readonly email: string;
  readonly fullName: string;
  readonly temporaryPassword: string;
  readonly expiresAt: number;
}

export type Adding = Issued | Unauthorized | { ok: false; error: "email-taken" };
export type Reissuing = Issued | Refused;
export type Removing = { ok: true } | Refused;

export type UserManagement = ReturnType<typeof createUserManagement>;

/**
 * What superadmins do with accounts (specification, section 6). Every change reads the rules in its own transaction: a
 * superadmin who was demoted or removed while a request was open changes nothing with it.
 */
export function createUserManagement(has: {
  database: Database;
  hasher: PasswordHasher;
  clock: Clock;
  newId: NewId;
  /** Addresses in lower case that can be neither removed nor given a temporary password. */
  protectedAccounts: readonly string[];
}) {
  const { database, hasher, clock, newId } = has;
  const viewOf = (who: SignedIn) => ({ ...has, who, now: clock() });

  return {
    /** Newest first; `before` is the id of the last one seen. */
    list: (who: SignedIn, page: { before?: string | undefined; limit: number }) =>
      listAccounts(database.read, page, viewOf(who)),

    count: () => countAccounts(database.read),

    /** One account as it stands in the list, or undefined. */
    find: (who: SignedIn, id: string) => findAccount(database.read, id, viewOf(who)),

    /** Makes an account of role admin with a temporary password; of two at once for one address, one gets it. */
    async addAccount(
      who: SignedIn,
      given: { email: string; fullName: string },
      origin: Provenance,
    ): Promise<Adding> {
      const email = emailKey(given.email);
      const { temporaryPassword, stored } = await makePassword();
      const deed = { action: "add-account", who, origin } as const;
      return asSuperadmin<Adding>(
        has,
        deed,
        async () => email,
        async (trx, audit) => {
          const row = await trx
            .insertInto("accounts")
            .values({
              id: newId(),
              email,
              full_name: given.fullName,
              role: "admin",
              ...stored,
              created_at: clock(),
              last_login_at: null,
            })
            .onConflict((conflict) => conflict.column("email").doNothing())
            .returning(["email", "full_name"])
            .executeTakeFirst();
          await audit(email, row ? "ok" : "refused");
          return row
            ? issued(row, temporaryPassword, stored.password_expires_at)
            : { ok: false, error: "email-taken" };
        },
      );
    },

    /** Replaces the password of an account by a temporary one and ends its sessions. */
    async reissueTemporaryPassword(who: SignedIn, accountId: string, origin: Provenance): Promise<Reissuing> {
      const { temporaryPassword, stored } = await makePassword();
      const deed = { action: "reissue-password", who, origin } as const;
      return asSuperadminOn<Reissuing>(has, deed, accountId, async (trx, account) => {
        await trx.updateTable("accounts").set(stored).where("id", "=", account.id).execute();
        await endSessionsOf(trx, account.id);
        return issued(account, temporaryPassword, stored.password_expires_at);
      });
    },

    /** Removes an account; wherever it is logged in, that session is over with it. */
    removeAccount(who: SignedIn, accountId: string, origin: Provenance): Promise<Removing> {
      const deed = { action: "remove-account", who, origin } as const;
      return asSuperadminOn<Removing>(has, deed, accountId, async (trx, account) => {
        await endSessionsOf(trx, account.id);
        await trx.deleteFrom("accounts").where("id", "=", account.id).execute();
        return { ok: true };
      });
    },
  };

  async function makePassword() {
    const temporaryPassword = newTemporaryPassword();
    const stored = {
      password_hash: await hasher.hash(temporaryPassword),
      password_is_temporary: 1 as const,
      password_expires_at: clock() + TEMPORARY_PASSWORD_MS,
    };
    return { temporaryPassword, stored };
  }
}

function issued(
  account: { email: string; full_name: string },
  temporaryPassword: string,
  expiresAt: number,
): Issued {
  return { ok: true, email: account.email, fullName: account.full_name, temporaryPassword, expiresAt };
}
