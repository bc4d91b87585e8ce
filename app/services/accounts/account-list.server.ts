import type { Selectable } from "kysely";
import type { Read } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { isUuid } from "~/lib/uuid";
import { getProtection, getAccountState } from "./account-state";
import type { AccountState, Protection } from "./account-state";

export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  readonly role: AccountsTable["role"];
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  readonly state: AccountState;
  readonly hasSecondFactor: boolean;
  /**
   * Reason why this superadmin can neither remove the account nor give it a temporary password; undefined when
   * both are allowed.
   */
  readonly protection: Protection | undefined;
}

interface View {
  readonly who: { accountId: string };
  readonly protectedAccounts: readonly string[];
  readonly now: number;
}

export async function listAccounts(
  read: Read,
  { before, limit }: { before?: string | undefined; limit: number },
  view: View,
): Promise<ListedAccount[]> {
  const rows = await selectAccounts(read)
    .$if(before !== undefined && isUuid(before), (query) => query.where("accounts.id", "<", before ?? ""))
    .orderBy("accounts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => toListedAccount(row, view));
}

export async function countAccounts(read: Read): Promise<number> {
  const row = await read
    .selectFrom("accounts")
    .select((db) => db.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function findAccount(read: Read, id: string, view: View): Promise<ListedAccount | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await selectAccounts(read).where("accounts.id", "=", id).executeTakeFirst();
  return row && toListedAccount(row, view);
}

function selectAccounts(read: Read) {
  return read
    .selectFrom("accounts")
    .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
    .selectAll("accounts")
    .select("second_factors.confirmed_at");
}

type Row = Selectable<AccountsTable> & { confirmed_at: number | null };

function toListedAccount(row: Row, { who, protectedAccounts, now }: View): ListedAccount {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    role: row.role,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
    state: getAccountState(row, now),
    hasSecondFactor: row.confirmed_at !== null,
    protection: getProtection(row, who, protectedAccounts),
  };
}
