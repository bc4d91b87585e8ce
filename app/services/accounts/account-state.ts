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

/** Why an account can be neither removed nor given a temporary password. */
export type Protection = "yourself" | "superadmin" | "protected";

/**
 * The accounts that are nobody's to take away (specification, section 5): one's own, every superadmin's, and the
 * addresses the operator of the server protects. Only a superadmin gets this far, so the last one is always oneself.
 * A temporary password would lock its owner out as a removal does, so the same rule holds for both.
 * @param protectedAccounts addresses in lower case.
 */
export function protectionOf(
  account: { id: string; email: string; role: string },
  who: { accountId: string },
  protectedAccounts: readonly string[],
): Protection | undefined {
  if (account.id === who.accountId) return "yourself";
  if (account.role === "superadmin") return "superadmin";
  return protectedAccounts.includes(account.email) ? "protected" : undefined;
}
