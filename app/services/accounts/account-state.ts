/** How far an account is on the way from its temporary password to one of its own. */
export type AccountState =
  /** The temporary password logs in until its owner has chosen another one; without an end for the first superadmin's. */
  { kind: "waiting"; expiresAt: number | null } | { kind: "expired" } | { kind: "active" };

export function stateOf(
  account: {
    password_is_temporary: 0 | 1;
    password_expires_at: number | null;
  },
  now: number,
): AccountState {
  const expiresAt = account.password_expires_at;
  if (account.password_is_temporary === 0) return { kind: "active" };
  return expiresAt === null || expiresAt > now ? { kind: "waiting", expiresAt } : { kind: "expired" };
}
