import type { Provenance } from "~/services/audit/audit.server";
import type { ListedAccount } from "./account-list.server";
import type { Requester } from "./as-superadmin.server";
import type { PasswordPolicy, PasswordProblem } from "./password-policy.server";
import type { UserManagement } from "./user-management.server";

type Refusal<Code extends string> = { ok: false; error: Code | "unauthorized" };
type WrongPassword = { ok: false; error: "wrong-password"; problem: PasswordProblem };

type CreateAccountResult = { ok: true } | Refusal<"email-taken"> | WrongPassword;
type PasswordReset = { ok: true } | Refusal<"unknown-account" | "protected"> | WrongPassword;

/**
 * Serves the specification's account endpoint (section 7) to programs of a superadmin: user management with
 * passwords that the program supplies. Because the program knows them, they are temporary: they log in for a
 * day at most, until the account's owner chooses another one.
 */
export function createAccountEndpoint(deps: {
  userManagement: UserManagement;
  passwordPolicy: PasswordPolicy;
}) {
  const { userManagement, passwordPolicy } = deps;

  return {
    /**
     * Lists accounts newest first, starting after the account with the id `after` (keyset); `next` is the id to
     * continue with, null at the end.
     */
    async list(
      who: Requester,
      { after, limit }: { after?: string | undefined; limit: number },
    ): Promise<{ accounts: ListedAccount[]; next: string | null }> {
      const found = await userManagement.list(who, { before: after, limit: limit + 1 });
      const accounts = found.slice(0, limit);
      return { accounts, next: found.length > limit ? (accounts.at(-1)?.id ?? null) : null };
    },

    async create(
      who: Requester,
      input: { email: string; fullName: string; password: string },
      origin: Provenance,
    ): Promise<CreateAccountResult> {
      const problem = passwordPolicy.findProblem(input.password);
      if (problem) return { ok: false, error: "wrong-password", problem };
      const outcome = await userManagement.addAccount(who, input, origin);
      return outcome.ok ? { ok: true } : outcome;
    },

    /** Resets the password and ends the account's sessions. */
    async resetPassword(
      who: Requester,
      input: { email: string; newPassword: string },
      origin: Provenance,
    ): Promise<PasswordReset> {
      const problem = passwordPolicy.findProblem(input.newPassword);
      if (problem) return { ok: false, error: "wrong-password", problem };
      const id = await userManagement.findId(input.email);
      if (id === undefined) return { ok: false, error: "unknown-account" };
      const outcome = await userManagement.reissueTemporaryPassword(who, id, origin, input.newPassword);
      if (outcome.ok) return { ok: true };
      const { error } = outcome;
      const isKnown = error === "unauthorized" || error === "unknown-account";
      return { ok: false, error: isKnown ? error : "protected" };
    },
  };
}
