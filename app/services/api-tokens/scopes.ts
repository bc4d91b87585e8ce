/** Scopes of tokens. A scope exists when a call of the API requires it. */
export const SCOPES = [
  "email:send",
  "broadcast:send",
  "tenants:read",
  "signups:write",
  "logs:read",
  "logs:delete",
  "resources:read",
  "accounts:manage",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that only work for tokens of superadmins. */
const SUPERADMIN_SCOPES: readonly Scope[] = ["accounts:manage"];

/** Lists the scopes that a person of this role can grant a token, and that their token can use. */
export function listGrantableScopes(role: "admin" | "superadmin"): readonly Scope[] {
  return role === "superadmin" ? SCOPES : SCOPES.filter((scope) => !SUPERADMIN_SCOPES.includes(scope));
}
