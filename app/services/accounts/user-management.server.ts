import { sql, type Insertable, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import { countRows, fetchPage } from "~/db/rows";
import type { AccountsTable } from "~/db/tables/accounts";
import { emailKey } from "~/lib/email-address";
import type { ListPage, SortOrder } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Provenance } from "~/services/audit/audit.server";
import { withdrawPendingEmailChanges } from "~/services/email-changes/withdraw-pending.server";
import { revokePending } from "~/services/invitations/revoke-pending.server";
import { removeSecondFactor } from "~/services/second-factor/codes.server";
import type { Clock, NewId, ServiceDeps } from "~/services/service-deps";
import { endAccountSessions, type SignedIn } from "~/services/sessions/sessions.server";
import { removeOwnViews } from "~/services/views/saved-views.server";
import type { AccountSort } from "./account-sorts";
import type { PasswordHasher } from "./password-hasher";
import { issuePassword } from "./passwords.server";

/** State of an account between its temporary password and one its owner chose. */
export type AccountState =
  /** The temporary password logs in until its owner chooses another one; the first superadmin's has no expiry. */
  { kind: "waiting"; expiresAt: number | null } | { kind: "expired" } | { kind: "active" };

/** Reason why an account can be neither removed nor given a temporary password. */
type Protection = "yourself" | "superadmin" | "protected";

/** Reason why an account keeps its role. */
type RoleProtection = Exclude<Protection, "superadmin">;

type UserManagement = ReturnType<typeof createUserManagement>;
export type ListedAccount = Awaited<ReturnType<UserManagement["list"]>>[number];

/** A temporary password in clear: shown once, never stored. */
export type IssuedPassword = ReturnType<typeof toIssued>;

/** "unauthorized": the requester is not a superadmin (any more). */
export type Refused = { ok: false; error: "unauthorized" | "unknown-account" | Protection };

/** "unchanged": the account has that role already. */
export type RoleRefused = { ok: false; error: Exclude<Refused["error"], "superadmin"> | "unchanged" };

/** A superadmin, or a token in their name. */
export type Requester = Pick<SignedIn, "accountId" | "email">;

/** Accounts are few enough to be sorted without an index. */
const KEYS = {
  created: undefined,
  name: sql<string>`lower(full_name)`,
  login: sql<number>`coalesce(last_login_at, 0)`,
};

interface UserManagementDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  /** Addresses in lower case that can be neither removed nor given a temporary password, and keep their role. */
  protectedAccounts: readonly string[];
}

/**
 * Manages accounts for superadmins (specification, section 6). Every change checks the rules in its own
 * transaction: a superadmin who is demoted or removed while a request is open changes nothing with it.
 */
export function createUserManagement(deps: UserManagementDeps) {
  const { database, clock, protectedAccounts } = deps;
  const audit = createAudit(deps);

  return {
    /** Lists accounts, newest first unless another order is given. */
    async list(requester: Requester, page: ListPage, order?: SortOrder<AccountSort>) {
      const key = order && KEYS[order.sort];
      const rows = await fetchPage(selectAccounts(), page, {
        id: "accounts.id",
        key,
        direction: order?.direction,
      });
      return rows.map((row) => toListedAccount(row, requester));
    },

    count: (): Promise<number> => countRows(database.read.selectFrom("accounts")),

    /** Finds one account in the form the list shows, or undefined. */
    async find(requester: Requester, id: string) {
      if (!isUuid(id)) return undefined;
      const row = await selectAccounts().where("accounts.id", "=", id).executeTakeFirst();
      return row && toListedAccount(row, requester);
    },

    /**
     * Creates an account with the role admin and a temporary password; of two concurrent calls for one address,
     * one succeeds.
     * @param input.password the temporary password; random when left out.
     */
    async addAccount(
      requester: Requester,
      input: { email: string; fullName: string; password?: string },
      origin: Provenance,
    ): Promise<IssuedPassword | { ok: false; error: "unauthorized" | "email-taken" }> {
      const email = emailKey(input.email);
      const issued = await issuePassword(deps, input.password);
      const account = { email, full_name: input.fullName, role: "admin", ...issued.stored } as const;
      return database.write(async (trx) => {
        const isAllowed = await isSuperadmin(trx, requester);
        const row = isAllowed ? await insertAccount(trx, deps, account) : undefined;
        // A link to invite this address would open again once the account is removed.
        if (row) await revokePending(trx, clock(), { email });
        const entry = { action: "add-account", subject: email, outcome: row ? "ok" : "refused" } as const;
        await audit(trx, { ...origin, by: requester.email }, entry);
        if (row) return toIssued(row, issued);
        return { ok: false, error: isAllowed ? "email-taken" : "unauthorized" };
      });
    },

    /**
     * Replaces the password of an account with a temporary one and ends its sessions.
     * @param password random when left out.
     */
    async reissueTemporaryPassword(
      requester: Requester,
      accountId: string,
      origin: Provenance,
      password?: string,
    ): Promise<IssuedPassword | Refused> {
      const issued = await issuePassword(deps, password);
      const action = "reissue-password";
      return changeAccount(
        requester,
        accountId,
        origin,
        { action, getRefusal: getProtection },
        (trx, account) => setTemporaryPassword(trx, clock, account, issued),
      );
    },

    /** Like `reissueTemporaryPassword`, for the account of an address. */
    async resetPassword(
      requester: Requester,
      { email, newPassword }: { email: string; newPassword: string },
      origin: Provenance,
    ): Promise<IssuedPassword | Refused> {
      const account = await database.read
        .selectFrom("accounts")
        .select("id")
        .where("email", "=", emailKey(email))
        .executeTakeFirst();
      if (!account) return { ok: false, error: "unknown-account" };
      return this.reissueTemporaryPassword(requester, account.id, origin, newPassword);
    },

    /** Removes the second factor of an account whose owner lost it, and ends the account's sessions. */
    resetSecondFactor(requester: Requester, accountId: string, origin: Provenance) {
      const change = { action: "reset-second-factor", getRefusal: getProtection } as const;
      return changeAccount(requester, accountId, origin, change, async (trx, account) => {
        await removeSecondFactor(trx, account.id);
        await endAccountSessions(trx, account.id);
        return { ok: true } as const;
      });
    },

    /** Removes an account and, with it, all its sessions and the saved views that it alone sees. */
    removeAccount(requester: Requester, accountId: string, origin: Provenance) {
      const change = { action: "remove-account", getRefusal: getProtection } as const;
      return changeAccount(requester, accountId, origin, change, async (trx, account) => {
        await endAccountSessions(trx, account.id);
        await removeOwnViews(trx, account.id);
        await trx.deleteFrom("accounts").where("id", "=", account.id).execute();
        return { ok: true } as const;
      });
    },

    /**
     * Changes the role of an account. Its sessions go on with the new role, which every request reads; a demotion ends
     * for good the tokens and invitations that the account made as a superadmin. Nobody changes their own role, so one superadmin always stays.
     */
    async changeRole(
      requester: Requester,
      accountId: string,
      role: AccountsTable["role"],
      origin: Provenance,
    ): Promise<{ ok: true } | RoleRefused> {
      const action = role === "superadmin" ? "promote-account" : "demote-account";
      const getRefusal = (account: ChangedAccount) =>
        getRoleProtection(account, requester) ?? (account.role === role ? "unchanged" : undefined);
      const change = { action, getRefusal } as const;
      return changeAccount(requester, accountId, origin, change, async (trx, account) => {
        await trx.updateTable("accounts").set({ role }).where("id", "=", account.id).execute();
        if (role === "admin") await revokeAllBySuperadmin(trx, account.id);
        return { ok: true } as const;
      });
    },
  };

  /** Revokes the tokens and pending invitations of a superadmin: a later promotion brings none back. */
  async function revokeAllBySuperadmin(trx: Write, accountId: string): Promise<void> {
    await revokePending(trx, clock(), { invitedBy: accountId });
    await trx
      .updateTable("api_tokens")
      .set({ revoked_at: clock() })
      .where("account_id", "=", accountId)
      .where("account_role", "=", "superadmin")
      .where("revoked_at", "is", null)
      .execute();
  }

  function selectAccounts() {
    return database.read
      .selectFrom("accounts")
      .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
      .selectAll("accounts")
      .select("second_factors.confirmed_at");
  }

  function toListedAccount(
    row: Selectable<AccountsTable> & { confirmed_at: number | null },
    requester: Requester,
  ) {
    return {
      id: row.id,
      email: row.email,
      fullName: row.full_name,
      role: row.role,
      createdAt: row.created_at,
      lastLoginAt: row.last_login_at,
      state: getAccountState(row, clock()),
      hasSecondFactor: row.confirmed_at !== null,
      protection: getProtection(row, requester),
      roleProtection: getRoleProtection(row, requester),
    };
  }

  /**
   * Returns why an account is protected (specification, section 5): it is the requester's own, a superadmin's, or
   * one of the addresses that the server's configuration protects. Only superadmins get this far, so the last
   * superadmin is always the requester. A temporary password locks its owner out as a removal does, so one rule
   * covers both.
   */
  function getProtection(account: ChangedAccount, requester: Requester): Protection | undefined {
    if (account.id === requester.accountId) return "yourself";
    if (account.role === "superadmin") return "superadmin";
    return getRoleProtection(account, requester);
  }

  /** Returns why an account keeps its role: it is the requester's own, or the server's configuration protects it. */
  function getRoleProtection(
    account: Pick<ChangedAccount, "id" | "email">,
    requester: Requester,
  ): RoleProtection | undefined {
    if (account.id === requester.accountId) return "yourself";
    return protectedAccounts.includes(account.email) ? "protected" : undefined;
  }

  /** Runs `work` on an account that is not protected, for a superadmin. Its row is locked until the end, as those of the superadmins are. */
  function changeAccount<T, Reason extends string>(
    requester: Requester,
    accountId: string,
    origin: Provenance,
    { action, getRefusal }: AccountChange<Reason>,
    work: (trx: Write, account: ChangedAccount) => Promise<T>,
  ): Promise<T | RefusedFor<Reason>> {
    const actor = { ...origin, by: requester.email };
    return database.write(async (trx): Promise<T | RefusedFor<Reason>> => {
      const isAllowed = await isSuperadmin(trx, requester);
      const account = await trx
        .selectFrom("accounts")
        .select(["id", "email", "full_name", "role"])
        .where("id", "=", accountId)
        .forUpdate()
        .executeTakeFirst();
      if (!isAllowed) {
        const subject = account?.email ?? "an unknown account";
        await audit(trx, actor, { action, subject, outcome: "refused" });
        return { ok: false, error: "unauthorized" };
      }
      if (!account) return { ok: false, error: "unknown-account" };
      const error = getRefusal(account, requester);
      await audit(trx, actor, { action, subject: account.email, outcome: error ? "refused" : "ok" });
      return error ? { ok: false, error } : work(trx, account);
    });
  }
}

/**
 * Returns whether the person is a superadmin now. Locks the superadmins' rows until the end of the transaction,
 * always in the same order, so that superadmins' actions run one after the other and nobody is demoted in between.
 */
export async function isSuperadmin(trx: Write, requester: Pick<Requester, "accountId">): Promise<boolean> {
  const superadmins = await trx
    .selectFrom("accounts")
    .select("id")
    .where("role", "=", "superadmin")
    .orderBy("id")
    .forUpdate()
    .execute();
  return superadmins.some(({ id }) => id === requester.accountId);
}

function getAccountState(
  { password_is_temporary, password_expires_at: expiresAt }: Selectable<AccountsTable>,
  now: number,
): AccountState {
  if (password_is_temporary === 0) return { kind: "active" };
  return expiresAt === null || expiresAt > now ? { kind: "waiting", expiresAt } : { kind: "expired" };
}

/** An account as a change finds it. */
type ChangedAccount = Pick<Selectable<AccountsTable>, "id" | "email" | "full_name" | "role">;

interface AccountChange<Reason extends string> {
  readonly action: AuditAction;
  /** Returns why this change is refused for an account. */
  readonly getRefusal: (account: ChangedAccount, requester: Requester) => Reason | undefined;
}

type RefusedFor<Reason extends string> = {
  ok: false;
  error: "unauthorized" | "unknown-account" | Reason;
};

type NewPassword = Awaited<ReturnType<typeof issuePassword>>;

function toIssued(account: { email: string; full_name: string }, { temporaryPassword, stored }: NewPassword) {
  const { email, full_name: fullName } = account;
  return { ok: true, email, fullName, temporaryPassword, expiresAt: stored.password_expires_at } as const;
}

/** Replaces the password of an account with an issued one, and ends its sessions and a pending change of its address. */
export async function setTemporaryPassword(
  trx: Write,
  clock: Clock,
  account: { id: string; email: string; full_name: string },
  issued: NewPassword,
): Promise<IssuedPassword> {
  await trx.updateTable("accounts").set(issued.stored).where("id", "=", account.id).execute();
  await endAccountSessions(trx, account.id);
  await withdrawPendingEmailChanges(trx, clock(), account.id);
  return toIssued(account, issued);
}

/** Inserts an account. @returns undefined when the address already has one. */
export function insertAccount(
  trx: Write,
  { clock, newId }: { clock: Clock; newId: NewId },
  account: Omit<Insertable<AccountsTable>, "id" | "created_at" | "last_login_at">,
): Promise<{ email: string; full_name: string } | undefined> {
  return trx
    .insertInto("accounts")
    .values({ ...account, id: newId(), created_at: clock(), last_login_at: null })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning(["email", "full_name"])
    .executeTakeFirst();
}
