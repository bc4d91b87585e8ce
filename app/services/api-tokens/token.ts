import type { Selectable } from "kysely";
import type { AccountsTable, ApiTokensTable } from "~/db/tables/accounts";
import { days } from "~/lib/durations";

/** Scopes of tokens. A scope exists when a call of the API requires it. */
export const SCOPES = [
  "email:send",
  "broadcast:send",
  "tenants:read",
  "devices:write",
  "signups:write",
  "signups:read",
  "people:read",
  "invitations:write",
  "logs:read",
  "logs:delete",
  "resources:read",
  "accounts:manage",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that only work for tokens of superadmins. */
const SUPERADMIN_SCOPES: readonly Scope[] = ["accounts:manage"];

/** Lists the scopes that a person of this role can grant a token, and that their token can use. */
export function listGrantableScopes(role: AccountsTable["role"]): readonly Scope[] {
  return role === "superadmin" ? SCOPES : SCOPES.filter((scope) => !SUPERADMIN_SCOPES.includes(scope));
}

/** Lifetimes to choose from for a token. */
export const LIVES = ["30-days", "90-days", "1-year", "never"] as const;
export type Life = (typeof LIVES)[number];
export const DEFAULT_LIFE: Life = "90-days";

const LIFE_MS = { "30-days": days(30), "90-days": days(90), "1-year": days(365), never: undefined };

/** Returns when a token created at `now` expires; undefined: never. */
export function getExpiry(life: Life, now: number): number | undefined {
  const ms = LIFE_MS[life];
  return ms === undefined ? undefined : now + ms;
}

/**
 * "demoted": its account has a lesser role than when the token was created, by a change in the database itself: changeRole
 * revokes such tokens.
 */
export type TokenState = "active" | "expired" | "revoked" | "demoted";

type TokenColumns = Pick<Selectable<ApiTokensTable>, "revoked_at" | "expires_at" | "account_role">;

/** Returns the state of a token with its account's role; of several, the one that a person decided comes first. */
export function getTokenState(token: TokenColumns & Pick<AccountsTable, "role">, now: number): TokenState {
  if (token.revoked_at !== null) return "revoked";
  if (token.account_role === "superadmin" && token.role !== "superadmin") return "demoted";
  if (token.expires_at !== null && token.expires_at <= now) return "expired";
  return "active";
}

/** What the list of tokens can be sorted by, with the direction that comes first. */
export const TOKEN_SORTS = { created: "desc", name: "asc", expires: "asc", used: "desc" } as const;
export type TokenSort = keyof typeof TOKEN_SORTS;
