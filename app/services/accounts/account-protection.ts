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
