import type { Read } from "~/db/database.server";
import { isUuid } from "~/lib/uuid";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { tokenStateOf } from "./token-life";
import type { TokenState } from "./token-life";

export interface ListedToken {
  readonly id: string;
  readonly name: string;
  /** How it begins. */
  readonly prefix: string;
  /** As stored: a newer version of this program may know more of them. */
  readonly scopes: readonly string[];
  readonly madeBy: string;
  readonly isOwn: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  readonly state: TokenState;
}

interface View {
  readonly who: SignedIn;
  readonly now: number;
}

export async function listTokens(
  read: Read,
  { before, limit }: { before?: string | undefined; limit: number },
  view: View,
): Promise<ListedToken[]> {
  const rows = await visible(read, view)
    .$if(before !== undefined && isUuid(before), (query) => query.where("api_tokens.id", "<", before ?? ""))
    .orderBy("api_tokens.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => listed(row, view));
}

export async function findToken(read: Read, id: string, view: View): Promise<ListedToken | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await visible(read, view).where("api_tokens.id", "=", id).executeTakeFirst();
  return row && listed(row, view);
}

function visible(read: Read, { who }: View) {
  return read
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
    .select(["api_tokens.id", "account_id", "account_role", "name", "prefix", "scopes"])
    .select(["api_tokens.created_at", "expires_at", "last_used_at", "revoked_at"])
    .select(["accounts.email", "accounts.role"])
    .$if(who.role !== "superadmin", (query) => query.where("account_id", "=", who.accountId));
}

type Row = Awaited<ReturnType<ReturnType<typeof visible>["execute"]>>[number];

function listed(row: Row, { who, now }: View): ListedToken {
  return {
    ...{ id: row.id, name: row.name, prefix: row.prefix, scopes: row.scopes.split(" ") },
    ...{ madeBy: row.email, isOwn: row.account_id === who.accountId },
    ...{ createdAt: row.created_at, expiresAt: row.expires_at, lastUsedAt: row.last_used_at },
    state: tokenStateOf(row, row, now),
  };
}
