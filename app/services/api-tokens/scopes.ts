/** What a token may be allowed to do, one by one. A scope is here when a call of the API asks for it. */
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

/** Those that do nothing for a token of anybody but a superadmin. */
const OF_SUPERADMINS: readonly Scope[] = ["accounts:manage"];

/** What somebody of this role can give a token, and what a token of theirs can do. */
export function scopesFor(role: "admin" | "superadmin"): readonly Scope[] {
  return role === "superadmin" ? SCOPES : SCOPES.filter((scope) => !OF_SUPERADMINS.includes(scope));
}
