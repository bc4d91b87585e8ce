/** State of an account between its temporary password and one its owner chose. */
export type AccountState =
  /**
   * The temporary password logs in until the owner chooses another one; it has no expiry for the first
   * superadmin.
   */
  { kind: "waiting"; expiresAt: number | null } | { kind: "expired" } | { kind: "active" };

export function getAccountState(
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

/** Reason why an account can be neither removed nor given a temporary password. */
export type Protection = "yourself" | "superadmin" | "protected";

/**
 * Returns why an account is protected (specification, section 5): it is the requester's own, a superadmin's, or
 * one of the addresses that the server's configuration protects. Only superadmins get this far, so the last
 * superadmin is always the requester. A temporary password locks its owner out as a removal does, so one rule
 * covers both.
 * @param protectedAccounts addresses in lower case.
 */
export function getProtection(
  account: { id: string; email: string; role: string },
  who: { accountId: string },
  protectedAccounts: readonly string[],
): Protection | undefined {
  if (account.id === who.accountId) return "yourself";
  if (account.role === "superadmin") return "superadmin";
  return protectedAccounts.includes(account.email) ? "protected" : undefined;
}
