import type { Insertable, Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import { countRows, fetchNewest, type NewestPage } from "~/db/rows";
import type { AccountsTable } from "~/db/tables/accounts";
import { emailKey } from "~/lib/email-address";
import { isUuid } from "~/lib/uuid";
import { createAudit, type AuditAction, type Provenance } from "~/services/audit/audit.server";
import { removeSecondFactor } from "~/services/second-factor/codes.server";
import type { Clock, NewId, ServiceDeps } from "~/services/service-deps";
import { endAccountSessions, type SignedIn } from "~/services/sessions/sessions.server";
import type { PasswordHasher } from "./password-hasher";
import { issuePassword } from "./passwords.server";

/** State of an account between its temporary password and one its owner chose. */
export type AccountState =
  /** The temporary password logs in until its owner chooses another one; the first superadmin's has no expiry. */
  { kind: "waiting"; expiresAt: number | null } | { kind: "expired" } | { kind: "active" };

/** Reason why an account can be neither removed nor given a temporary password. */
type Protection = "yourself" | "superadmin" | "protected";

type UserManagement = ReturnType<typeof createUserManagement>;
export type ListedAccount = Awaited<ReturnType<UserManagement["list"]>>[number];

/** A temporary password in clear: shown once, never stored. */
export interface IssuedPassword {
  readonly ok: true;
  readonly email: string;
  readonly fullName: string;
  readonly temporaryPassword: string;
  readonly expiresAt: number;
}

/** "unauthorized": the requester is not a superadmin (any more). */
type Unauthorized = { ok: false; error: "unauthorized" };
export type Refused = Unauthorized | { ok: false; error: "unknown-account" | Protection };

/** A superadmin, or a token in their name. */
type Requester = Pick<SignedIn, "accountId" | "email">;

interface AuditedAction {
  readonly action: AuditAction;
  readonly requester: Requester;
  readonly origin: Provenance;
}

/** Records the action in the action's own transaction. */
type Audit = (subject: string, outcome: "ok" | "refused") => Promise<void>;

interface UserManagementDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  /** Addresses in lower case that can be neither removed nor given a temporary password. */
  protectedAccounts: readonly string[];
}

/**
 * Manages accounts for superadmins (specification, section 6). Every change checks the rules in its own
 * transaction: a superadmin who is demoted or removed while a request is open changes nothing with it.
 */
export function createUserManagement(deps: UserManagementDeps) {
  const { database, clock, protectedAccounts } = deps;

  return {
    /** Lists accounts newest first. */
    async list(requester: Requester, page: NewestPage) {
      const rows = await fetchNewest(selectAccounts(), page, "accounts.id");
      return rows.map((row) => toListedAccount(row, requester));
    },

    count: (): Promise<number> => countRows(database.read.selectFrom("accounts")),

    /** Finds one account in the form the list shows, or undefined. */
    async find(requester: Requester, id: string) {
      if (!isUuid(id)) return undefined;
      const row = await selectAccounts().where("accounts.id", "=", id).executeTakeFirst();
      return row && toListedAccount(row, requester);
    },

    findId,

    /**
     * Creates an account with the role admin and a temporary password; of two concurrent calls for one address,
     * one succeeds.
     * @param input.password the temporary password; random when left out.
     */
    async addAccount(
      requester: Requester,
      input: { email: string; fullName: string; password?: string },
      origin: Provenance,
    ): Promise<IssuedPassword | Unauthorized | { ok: false; error: "email-taken" }> {
      const email = emailKey(input.email);
      const { temporaryPassword, stored } = await issuePassword(deps, input.password);
      const audited = { action: "add-account", requester, origin } as const;
      return asSuperadmin<IssuedPassword | { ok: false; error: "email-taken" }>(
        audited,
        async () => email,
        async (trx, audit) => {
          const account = { email, full_name: input.fullName, role: "admin", ...stored } as const;
          const row = await insertAccount(trx, deps, account);
          await audit(email, row ? "ok" : "refused");
          return row
            ? toIssued(row, temporaryPassword, stored.password_expires_at)
            : { ok: false, error: "email-taken" };
        },
      );
    },

    /** Replaces the password of an account with a random temporary one and ends its sessions. */
    reissueTemporaryPassword: (requester: Requester, accountId: string, origin: Provenance) =>
      replacePassword(requester, accountId, origin),

    /** Replaces the password of an account with the given temporary one and ends its sessions. */
    async resetPassword(
      requester: Requester,
      { email, newPassword }: { email: string; newPassword: string },
      origin: Provenance,
    ): Promise<IssuedPassword | Refused> {
      const id = await findId(email);
      if (id === undefined) return { ok: false, error: "unknown-account" };
      return replacePassword(requester, id, origin, newPassword);
    },

    /** Removes the second factor of an account whose owner lost it, and ends the account's sessions. */
    resetSecondFactor(requester: Requester, accountId: string, origin: Provenance) {
      const audited = { action: "reset-second-factor", requester, origin } as const;
      return asSuperadminOn(audited, accountId, async (trx, account) => {
        await removeSecondFactor(trx, account.id);
        await endAccountSessions(trx, account.id);
        return { ok: true } as const;
      });
    },

    /** Removes an account and, with it, all its sessions. */
    removeAccount(requester: Requester, accountId: string, origin: Provenance) {
      const audited = { action: "remove-account", requester, origin } as const;
      return asSuperadminOn(audited, accountId, async (trx, account) => {
        await endAccountSessions(trx, account.id);
        await trx.deleteFrom("accounts").where("id", "=", account.id).execute();
        return { ok: true } as const;
      });
    },
  };

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
    };
  }

  /**
   * Returns why an account is protected (specification, section 5): it is the requester's own, a superadmin's, or
   * one of the addresses that the server's configuration protects. Only superadmins get this far, so the last
   * superadmin is always the requester. A temporary password locks its owner out as a removal does, so one rule
   * covers both.
   */
  function getProtection(
    account: { id: string; email: string; role: string },
    requester: Requester,
  ): Protection | undefined {
    if (account.id === requester.accountId) return "yourself";
    if (account.role === "superadmin") return "superadmin";
    return protectedAccounts.includes(account.email) ? "protected" : undefined;
  }

  async function findId(email: string): Promise<string | undefined> {
    const row = await database.read
      .selectFrom("accounts")
      .select("id")
      .where("email", "=", emailKey(email))
      .executeTakeFirst();
    return row?.id;
  }

  async function replacePassword(
    requester: Requester,
    accountId: string,
    origin: Provenance,
    password?: string,
  ) {
    const { temporaryPassword, stored } = await issuePassword(deps, password);
    const audited = { action: "reissue-password", requester, origin } as const;
    return asSuperadminOn<IssuedPassword>(audited, accountId, async (trx, account) => {
      await trx.updateTable("accounts").set(stored).where("id", "=", account.id).execute();
      await endAccountSessions(trx, account.id);
      return toIssued(account, temporaryPassword, stored.password_expires_at);
    });
  }

  /**
   * Runs `work` if the person is a superadmin now. Locks the superadmins' rows until the end, always in the same
   * order, so that superadmins' actions run one after the other and nobody is demoted in between.
   * @param getSubject returns the subject of the audit entry that records a refusal.
   */
  function asSuperadmin<T>(
    { action, requester, origin }: AuditedAction,
    getSubject: (trx: Write) => Promise<string>,
    work: (trx: Write, audit: Audit) => Promise<T>,
  ): Promise<T | Unauthorized> {
    return database.write(async (trx): Promise<T | Unauthorized> => {
      const audit: Audit = (subject, outcome) =>
        createAudit(deps)(trx, { ...origin, by: requester.email }, { action, subject, outcome });
      const superadmins = await trx
        .selectFrom("accounts")
        .select("id")
        .where("role", "=", "superadmin")
        .orderBy("id")
        .forUpdate()
        .execute();
      if (superadmins.some(({ id }) => id === requester.accountId)) return work(trx, audit);
      await audit(await getSubject(trx), "refused");
      return { ok: false, error: "unauthorized" };
    });
  }

  /** Like `asSuperadmin`, for one account that is not protected; its row is locked until the end too. */
  function asSuperadminOn<T>(
    audited: AuditedAction,
    accountId: string,
    work: (trx: Write, account: { id: string; email: string; full_name: string }) => Promise<T>,
  ): Promise<T | Refused> {
    const find = (trx: Write) =>
      trx
        .selectFrom("accounts")
        .select(["id", "email", "full_name", "role"])
        .where("id", "=", accountId)
        .forUpdate()
        .executeTakeFirst();
    const getSubject = async (trx: Write) => (await find(trx))?.email ?? "an unknown account";

    return asSuperadmin<T | Refused>(audited, getSubject, async (trx, audit) => {
      const account = await find(trx);
      if (!account) return { ok: false, error: "unknown-account" };
      const protection = getProtection(account, audited.requester);
      await audit(account.email, protection ? "refused" : "ok");
      return protection ? { ok: false, error: protection } : work(trx, account);
    });
  }
}

function getAccountState(
  { password_is_temporary, password_expires_at: expiresAt }: Selectable<AccountsTable>,
  now: number,
): AccountState {
  if (password_is_temporary === 0) return { kind: "active" };
  return expiresAt === null || expiresAt > now ? { kind: "waiting", expiresAt } : { kind: "expired" };
}

function toIssued(
  account: { email: string; full_name: string },
  temporaryPassword: string,
  expiresAt: number,
): IssuedPassword {
  return { ok: true, email: account.email, fullName: account.full_name, temporaryPassword, expiresAt };
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
