/** How far an account is on the way from its temporary password to one of its own. */
export type AccountState =
  /** Nobody has logged in with the temporary password; without an end for the first superadmin's. */
  | { kind: "waiting"; expiresAt: number | null }
  /** The temporary password has had its one login; it works only to choose another one. */
  | { kind: "choosing" }
  | { kind: "expired" }
  | { kind: "active" };

export function stateOf(
  account: {
    password_is_temporary: 0 | 1;
    password_expires_at: number | null;
    last_login_at: number | null;
  },
  now: number,
): AccountState {
  const expiresAt = account.password_expires_at;
  if (account.password_is_temporary === 0) return { kind: "active" };
  if (expiresAt === null || expiresAt > now) return { kind: "waiting", expiresAt };
  // The login that uses it up ends it at that very moment.
  return { kind: expiresAt === account.last_login_at ? "choosing" : "expired" };
}
