import type { Selectable } from "kysely";
import type { Read } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables";
import { isUuid } from "~/lib/uuid";
import { protectionOf } from "./account-protection";
import type { Protection } from "./account-protection";
import { stateOf } from "./account-state";
import type { AccountState } from "./account-state";

export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  readonly role: AccountsTable["role"];
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  readonly state: AccountState;
  /** Why this superadmin can neither remove it nor give it a temporary password; undefined when both can be done. */
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
  const rows = await read
    .selectFrom("accounts")
    .selectAll()
    .$if(before !== undefined && isUuid(before), (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => listed(row, view));
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
  const row = await read.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
  return row && listed(row, view);
}

function listed(row: Selectable<AccountsTable>, { who, protectedAccounts, now }: View): ListedAccount {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    role: row.role,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
    state: stateOf(row, now),
    protection: protectionOf(row, who, protectedAccounts),
  };
}
