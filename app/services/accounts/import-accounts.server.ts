import { cleanText, truncate } from "~/lib/clean-text";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import { revokePending } from "~/services/invitations/revoke-pending.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { AccountSource } from "./account-source";
import type { PasswordHasher } from "./password-hasher";
import { issuePassword } from "./passwords.server";
import { insertAccount } from "./user-management.server";

const MAX_NAME_LENGTH = 200;

/**
 * Creates an account for each listed one that is unknown here, always with the role admin: an import never
 * creates a superadmin. When interrupted, running it again imports the rest.
 * @param keep keeps each temporary password before its account is stored: one that is not kept is lost. Returns what
 *   discards it again, where somebody else added the account meanwhile. Without it the import is a dry run that changes
 *   nothing.
 * @returns how many accounts were added, known here already and left unchanged, listed twice, and unusable for lack of a
 *   valid address; of those added, how many were demoted: superadmins in the source.
 */
export async function importAccounts(
  deps: ServiceDeps & { hasher: PasswordHasher },
  source: AccountSource,
  keep?: (issued: { email: string; fullName: string; temporaryPassword: string }) => () => void,
) {
  const { database } = deps;
  const counts = { added: 0, known: 0, twice: 0, unusable: 0, demoted: 0 };
  const seen = new Set<string>();
  const accounts = await database.read.selectFrom("accounts").select("email").execute();
  const known = new Set(accounts.map(({ email }) => email));
  for (const listed of await source.list()) {
    const email = emailKey(listed.email);
    const isRepeated = seen.has(email);
    seen.add(email);
    if (!isPlainAddress(email)) counts.unusable += 1;
    else if (isRepeated) counts.twice += 1;
    else if (known.has(email) || !(await add(email, toName(listed.fullName) || email))) counts.known += 1;
    else {
      counts.added += 1;
      if (listed.role.trim().toLowerCase() === "superadmin") counts.demoted += 1;
    }
  }
  return counts;

  /** @returns false when the account already exists. */
  async function add(email: string, fullName: string): Promise<boolean> {
    if (!keep) return true;
    const { temporaryPassword, stored } = await issuePassword(deps);
    const discard = keep({ email, fullName, temporaryPassword });
    const isAdded = await database.write(async (trx) => {
      const row = await insertAccount(trx, deps, { email, full_name: fullName, role: "admin", ...stored });
      if (!row) return false;
      // A link to invite this address would open again once the account is removed.
      await revokePending(trx, deps.clock(), { email });
      await createAudit(deps)(trx, SYSTEM, { action: "add-account", subject: email });
      return true;
    });
    if (!isAdded) discard();
    return isAdded;
  }
}

const toName = (text: string): string =>
  truncate((cleanText(text) ?? "").replace(/\s+/g, " "), MAX_NAME_LENGTH);
