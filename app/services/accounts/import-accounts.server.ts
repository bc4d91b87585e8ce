import type { Database } from "~/db/database.server";
import { cleanText, truncate } from "~/lib/clean-text";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { AccountSource } from "./account-source";
import { insertAccount, issuePassword } from "./new-account.server";
import type { PasswordHasher } from "./password-hasher";

const LONGEST_NAME = 200;

/** What came of an import, or would. Every account that was listed is in exactly one of the first four. */
interface AccountImport {
  /** Made, with a temporary password each. */
  readonly added: number;
  /** There already, and left as they are. */
  readonly known: number;
  /** Listed a second time. */
  readonly twice: number;
  /** Their address is none. */
  readonly unusable: number;
  /** Of the added ones: superadmins there, admins here. */
  readonly demoted: number;
}

/**
 * Makes an account of each that is listed elsewhere and unknown here, with the role admin whatever it is there: nobody
 * becomes superadmin from outside. Stopped half way, asking again does the rest.
 * @param tell gets each temporary password before its account is stored: what it did not keep is lost. Left out, nothing is
 * changed.
 */
export async function importAccounts(
  deps: { database: Database; hasher: PasswordHasher; clock: Clock; newId: NewId },
  source: AccountSource,
  tell?: (issued: { email: string; fullName: string; temporaryPassword: string }) => void,
): Promise<AccountImport> {
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
    else if (known.has(email) || !(await add(email, nameIn(listed.fullName) || email))) counts.known += 1;
    else {
      counts.added += 1;
      if (listed.role.trim().toLowerCase() === "superadmin") counts.demoted += 1;
    }
  }
  return counts;

  /** @returns whether it was not there before. */
  async function add(email: string, fullName: string): Promise<boolean> {
    if (!tell) return true;
    const { temporaryPassword, stored } = await issuePassword(deps);
    tell({ email, fullName, temporaryPassword });
    return database.write(async (trx) => {
      const row = await insertAccount(trx, deps, { email, fullName, stored });
      if (!row) return false;
      await createAudit(deps)(trx, SYSTEM, { action: "add-account", subject: email });
      return true;
    });
  }
}

const nameIn = (text: string): string => truncate((cleanText(text) ?? "").replace(/\s+/g, " "), LONGEST_NAME);
